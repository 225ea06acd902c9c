"""Columns of days and moments, formatted as everywhere ("22 Nov 2026, 14:05") and sorted by time.

Their values are `shell.local_time` of the moment, whose time zone the table uses."""

from __future__ import annotations

from functools import partial

from streamlit.column_config import DatetimeColumn

day_column = partial(DatetimeColumn, format="D MMM YYYY")
moment_column = partial(DatetimeColumn, format="D MMM YYYY, HH:mm")
second_column = partial(DatetimeColumn, format="D MMM YYYY, HH:mm:ss")
