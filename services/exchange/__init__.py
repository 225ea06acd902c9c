"""Files of strangers: their kinds, upload permits, and the child process that reads them."""
