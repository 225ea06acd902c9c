"""The analyses of ReCITE: tables and figures of its paper that are statistics of samples and answers."""
