"""Prompt texts as files, and their one loader."""

from prompts.loader import Prompt as Prompt
from prompts.loader import load as load
from prompts.placeholders import Placeholders as Placeholders
