"""Draws what it reads from stdin in LibreOffice Draw and prints it; run by the system's Python, which knows UNO."""

import json
import subprocess
import sys
import time

import uno
from com.sun.star.awt import Point, Size
from com.sun.star.beans import PropertyValue
from com.sun.star.drawing import LineDash

PIPE = "foreign-draw"


def connected(profile):
    """The desktop of a LibreOffice without a window, and its process."""
    process = subprocess.Popen(["soffice", profile, "--headless", "--norestore", f"--accept=pipe,name={PIPE};urp;"])
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(120):
        try:
            context = resolver.resolve(f"uno:pipe,name={PIPE};urp;StarOffice.ComponentContext")
            return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context), process
        except Exception:
            time.sleep(0.25)
    raise SystemExit("LibreOffice did not answer.")


def hundredths(value):
    return round(1000 * value)


def shape(document, page, kind, x, y, wide, high):
    one = document.createInstance(f"com.sun.star.drawing.{kind}Shape")
    one.Position, one.Size = Point(hundredths(x), hundredths(y)), Size(hundredths(wide), hundredths(high))
    page.add(one)
    return one


def draw(document, given):
    look, page = given["look"], document.DrawPages.getByIndex(0)
    page.Width, page.Height = map(hundredths, given["page"])
    dashed = uno.Enum("com.sun.star.drawing.LineStyle", "DASH")
    none = uno.Enum("com.sun.star.drawing.FillStyle", "NONE")
    for name, x0, y0, x1, y1 in given["frames"]:
        frame = shape(document, page, "Rectangle", x0, y0, x1 - x0, y1 - y0)
        frame.FillStyle, frame.LineStyle, frame.LineDash = none, dashed, LineDash(0, 0, 0, 1, 150, 150)
        frame.String, frame.CharHeight = name, 12
        frame.TextVerticalAdjust = uno.Enum("com.sun.star.drawing.TextVerticalAdjust", "TOP")
        frame.TextHorizontalAdjust = uno.Enum("com.sun.star.drawing.TextHorizontalAdjust", "LEFT")
    nodes, (wide, high) = [], look["size"]
    for name, (x, y) in zip(given["names"], given["places"], strict=True):
        node = shape(document, page, look.get("shape", "Rectangle"), x - wide / 2, y - high / 2, wide, high)
        node.String, node.CharHeight = name, 14
        if look.get("shape") == "Text":
            node.ParaAdjust = uno.Enum("com.sun.star.style.ParagraphAdjust", "CENTER")
            node.TextVerticalAdjust = uno.Enum("com.sun.star.drawing.TextVerticalAdjust", "CENTER")
            node.TextAutoGrowHeight = False
        else:
            node.TextWordWrap = True
        if "fill" in look:
            node.FillColor = look["fill"]
        if "round" in look:
            node.CornerRadius = look["round"]
        nodes.append(node)
    for source, sink, text, is_dashed, paint in given["edges"]:
        line = document.createInstance("com.sun.star.drawing.ConnectorShape")
        page.add(line)
        line.EdgeKind = uno.Enum("com.sun.star.drawing.ConnectorType", look["kind"])
        line.StartShape, line.EndShape = nodes[source], nodes[sink]
        line.LineEndName, line.LineEndWidth = look.get("head", "Arrow"), 300
        line.LineWidth = look.get("width", 0)
        if paint is not None:
            line.LineColor = paint
        if is_dashed:
            line.LineStyle, line.LineDash = dashed, LineDash(0, 0, 0, 1, 200, 120)
        if text:
            line.String, line.CharHeight = text, 14


def main():
    given = json.load(sys.stdin)
    desktop, process = connected(given["profile"])
    document = desktop.loadComponentFromURL(
        "private:factory/sdraw", "_blank", 0, (PropertyValue("Hidden", 0, True, 0),)
    )
    draw(document, given)
    output = PropertyValue("FilterName", 0, "draw_pdf_Export", 0)
    document.storeToURL(uno.systemPathToFileUrl(given["path"]), (output,))
    document.close(True)
    try:
        desktop.terminate()
    except Exception:
        print("LibreOffice is gone already")
    process.wait(60)


if __name__ == "__main__":
    main()
