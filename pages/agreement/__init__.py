"""Agreement: tables of annotators and raters, and the cases behind a cell."""
