"""Letters alone on the paper or on a disc are read; parts of words, rings and heads are not."""

from __future__ import annotations

import cv2
import numpy as np

from documents.raster.lone_letters import lone_letters

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
FONT = cv2.FONT_HERSHEY_DUPLEX


def test_letters_are_read_dark_on_paper_and_light_on_a_disc() -> None:
    picture = np.full((200, 500, 3), 255, np.uint8)
    cv2.putText(picture, "Y", (40, 110), FONT, 1.2, BLACK, 2, cv2.LINE_AA)
    cv2.circle(picture, (250, 100), 45, (120, 60, 0), cv2.FILLED, cv2.LINE_AA)
    cv2.putText(picture, "A", (236, 114), FONT, 1.2, WHITE, 2, cv2.LINE_AA)
    cv2.putText(picture, "Rain", (340, 110), FONT, 1.2, BLACK, 2, cv2.LINE_AA)
    read = lone_letters(picture, [(338.0, 80.0, 440.0, 115.0)], 30.0)
    assert sorted(text for text, _ in read) == ["A", "Y"]
    boxes = dict(read)
    assert abs(boxes["A"][0] - 238) < 6 and abs(boxes["A"][3] - 114) < 4


def test_rings_heads_and_crossing_lines_are_no_letters() -> None:
    picture = np.full((200, 500, 3), 255, np.uint8)
    cv2.circle(picture, (60, 100), 14, BLACK, 2, cv2.LINE_AA)
    cv2.fillPoly(picture, [np.array([(160, 100), (135, 88), (135, 112)])], BLACK, cv2.LINE_AA)
    cv2.line(picture, (220, 60), (480, 140), BLACK, 2, cv2.LINE_AA)
    cv2.line(picture, (220, 140), (480, 60), BLACK, 2, cv2.LINE_AA)
    assert lone_letters(picture, [], 30.0) == []
