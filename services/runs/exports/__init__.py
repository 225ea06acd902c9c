"""What leaves a run as files: all of it, its tables, and chats to tune a model with."""
