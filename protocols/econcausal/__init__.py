"""EconCausal, tasks 1 to 3: the sign of an effect in its context, with examples, and with false examples."""
