"""EconCausal, tasks 1 to 3: the sign of an effect in its context, beside examples, and beside false examples."""
