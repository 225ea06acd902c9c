"""Results of model runs as tables: one builder, whose every cell says what is in it and what is not."""
