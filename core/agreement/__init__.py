"""Agreement of people or models, on ratings of units and on graphs. Undefined is a value with its reason."""
