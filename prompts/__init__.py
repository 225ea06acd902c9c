"""Prompt texts as files, and their one loader."""

from prompts.loader import Prompt as Prompt
from prompts.loader import find_prompt as find_prompt
from prompts.loader import load as load
from prompts.loader import read_prompt as read_prompt
from prompts.placeholders import Placeholders as Placeholders
