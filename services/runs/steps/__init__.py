"""Steps of a run and their groups: what people see, decide and begin again; and the rounds of an item."""
