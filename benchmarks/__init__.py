"""Side-by-side measurements: one file a claim, each printing ratios taken in one run."""
