"""What a server answers to whoever is no browser."""

from __future__ import annotations

import http.client
import re
from typing import Any
from urllib.parse import urlencode

HTML = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}


class Client:
    """Plain HTTP without a browser's manners. `headers` may replace any header."""

    def __init__(self, server: Any) -> None:
        self.port = server.port
        self.host = f"127.0.0.1:{server.port}"
        self.password = server.password

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body=body, headers=named)
        answer = connection.getresponse()
        text = "" if answer.status == 101 else answer.read().decode(errors="replace")
        connection.close()
        return answer.status, answer.headers, text

    def post(self, path: str, fields: dict[str, str], **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
        return self.ask(path, "POST", urlencode(fields), Content_Type="application/x-www-form-urlencoded", **headers)

    def form(self) -> tuple[str, str]:
        """The form cookie and its token."""
        _, headers, page = self.ask("/sign-in")
        token = re.search(r'name="form" value="([^"]+)"', page)
        assert token is not None
        return headers["Set-Cookie"].partition(";")[0], token[1]

    def sign_in(self, name: str) -> str:
        cookie, token = self.form()
        fields = {"name": name, "password": self.password, "form": token}
        status, headers, text = self.post("/sign-in", fields, Cookie=cookie)
        assert status == 303, text
        return next(line.partition(";")[0] for line in headers.get_all("Set-Cookie", []) if "_left=" not in line)
