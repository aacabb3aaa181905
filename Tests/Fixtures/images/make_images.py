#!/usr/bin/env python3
"""Makes the image fixtures and what is expected of them.

Needs Pillow, numpy, opencv-python-headless, and cjpeg of libjpeg-turbo on the PATH. Writes next to itself:
small JPEG and PNG files, expected.json (the upright RGB bytes of each, in hex) and resize_*.png (OpenCV's results).
What a JPEG decodes to is what Pillow says; libjpeg-turbo, which it uses too, gives the same bytes in every version so far.
"""

import json
import pathlib
import struct
import subprocess
import zlib

import cv2
import numpy as np
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
EXPECTED = {}


def expect(name, rgb, orientation=1):
    rgb = np.asarray(rgb, np.uint8)
    EXPECTED[name] = {
        "width": rgb.shape[1], "height": rgb.shape[0], "orientation": orientation,
        "rgb": rgb.tobytes().hex(),
    }


def upright_image():
    """16 x 8, different under every turn and mirror: a bright corner block on slopes of colour."""
    y, x = np.mgrid[0:8, 0:16]
    rgb = np.stack([x * 12, y * 24, 120 - x * 4 + y * 8], axis=2).astype(np.uint8)
    rgb[0:3, 0:5] = (250, 240, 20)
    return rgb


# ---- JPEG

# What Pillow must do to an upright image to get the stored one.
TO_STORED = {
    1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def exif(orientation, big_endian):
    order = ">" if big_endian else "<"
    head = (b"MM" if big_endian else b"II") + struct.pack(order + "HI", 42, 8)
    entry = struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"Exif\0\0" + head + struct.pack(order + "H", 1) + entry + struct.pack(order + "I", 0)


def stored(orientation):
    image = Image.fromarray(upright_image())
    method = TO_STORED[orientation]
    return image if method is None else image.transpose(method)


def expect_as_pillow(name, orientation=1):
    image = ImageOps.exif_transpose(Image.open(HERE / name)).convert("RGB")
    expect(name, image, orientation)


def save_jpeg(name, image, **options):
    image.save(HERE / name, "JPEG", **({"quality": 100, "subsampling": "4:4:4"} | options))
    expect_as_pillow(name)


def cmyk_image():
    rgb = upright_image()
    return Image.fromarray(np.dstack([255 - rgb, rgb[:, :, :1] // 4]), "CMYK")


def make_jpegs():
    for orientation in range(1, 9):
        name = f"orientation_{orientation}.jpg"
        stored(orientation).save(
            HERE / name, "JPEG", quality=100, subsampling="4:4:4", exif=exif(orientation, orientation % 2 == 0))
        expect_as_pillow(name, orientation)
    rgb = Image.fromarray(upright_image())
    save_jpeg("gray.jpg", rgb.convert("L"))
    save_jpeg("chroma_420.jpg", rgb, subsampling="4:2:0")
    save_jpeg("progressive.jpg", rgb, subsampling="4:2:0", progressive=True)
    save_jpeg("cmyk.jpg", cmyk_image())
    # The same data declared as YCCK: the last byte of the Adobe segment names the colour transform.
    data = bytearray((HERE / "cmyk.jpg").read_bytes())
    data[data.index(b"Adobe") + 11] = 2
    (HERE / "ycck.jpg").write_bytes(data)
    expect_as_pillow("ycck.jpg")
    # A chroma layout without a name.
    ppm = b"P6 16 8 255 " + upright_image().tobytes()
    jpeg = subprocess.run(
        ["cjpeg", "-quality", "100", "-sample", "3x1,1x1,1x1"], input=ppm, stdout=subprocess.PIPE, check=True).stdout
    (HERE / "chroma_unnamed.jpg").write_bytes(jpeg)
    expect_as_pillow("chroma_unnamed.jpg")


# ---- PNG, written here, because Pillow writes neither interlaced files nor all depths

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def packed_rows(samples, depth):
    """Rows of filter type 0. `samples` is height x width x channels."""
    rows = b""
    for row in samples.reshape(samples.shape[0], -1):
        if depth == 16:
            rows += b"\0" + row.astype(">u2").tobytes()
        else:
            bits = "".join(format(int(value), f"0{depth}b") for value in row)
            rows += b"\0" + int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")
    return rows


def save_png(name, samples, rgb, *, color, depth=8, extra=b"", interlaced=False, orientation=1):
    samples = np.asarray(samples)
    if samples.ndim == 2:
        samples = samples[:, :, None]
    passes = [samples[y::dy, x::dx] for x, y, dx, dy in ADAM7] if interlaced else [samples]
    data = b"".join(packed_rows(part, depth) for part in passes if part.size)
    header = struct.pack(">IIBBBBB", samples.shape[1], samples.shape[0], depth, color, 0, 0, int(interlaced))
    (HERE / name).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(data, 9))
        + chunk(b"IEND", b""))
    expect(name, rgb, orientation)
    if depth < 16:
        alpha_dropped = Image.open(HERE / name).convert("RGBA").convert("RGB")
        turned = ImageOps.exif_transpose(Image.open(HERE / name)).size
        assert turned == (rgb.shape[1], rgb.shape[0]), name
        assert orientation != 1 or np.array_equal(np.asarray(alpha_dropped), rgb), name


GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6


def make_pngs():
    rgb = upright_image()
    gray = rgb[:, :, 2]
    as_rgb = lambda values: np.repeat(np.asarray(values, np.uint8)[:, :, None], 3, axis=2)
    alpha = np.tile(np.arange(0, 256, 16, dtype=np.uint8), (8, 1))
    save_png("rgb.png", rgb, rgb, color=RGB)
    save_png("interlaced.png", rgb, rgb, color=RGB, interlaced=True)
    save_png("rgba.png", np.dstack([rgb, alpha]), rgb, color=RGBA)
    save_png("gray_alpha.png", np.dstack([gray, alpha]), as_rgb(gray), color=GRAY_ALPHA)
    for depth in (1, 2, 4, 8):
        levels = gray >> (8 - depth)
        save_png(f"gray_{depth}.png", levels, as_rgb(levels.astype(int) * 255 // (2**depth - 1)), color=GRAY, depth=depth)
    noise = np.random.default_rng(7).integers(0, 65536, (8, 16, 3))
    save_png("rgb_16.png", noise, noise >> 8, color=RGB, depth=16)
    save_png("gray_16.png", noise[:, :, 0], as_rgb(noise[:, :, 0] >> 8), color=GRAY, depth=16)
    for depth in (1, 2, 4, 8):
        palette = np.random.default_rng(depth).integers(0, 256, (2**depth, 3), dtype=np.uint8)
        places = gray >> (8 - depth)
        plte = chunk(b"PLTE", palette.tobytes())
        save_png(f"palette_{depth}.png", places, palette[places], color=PALETTE, depth=depth, extra=plte)
        if depth == 4:
            extra = plte + chunk(b"tRNS", bytes([0, 128, 255, 7]))
            save_png("palette_transparent.png", places, palette[places], color=PALETTE, depth=depth, extra=extra)
    transparent_yellow = chunk(b"tRNS", struct.pack(">HHH", 250, 240, 20))
    save_png("rgb_transparent.png", rgb, rgb, color=RGB, extra=transparent_yellow)
    for orientation in (6, 7):
        extra = chunk(b"eXIf", exif(orientation, orientation == 7)[6:])
        save_png(
            f"orientation_{orientation}.png", stored(orientation), rgb, color=RGB, extra=extra, orientation=orientation)


# ---- Resizing

def make_resizes():
    source = np.random.default_rng(3).integers(0, 256, (23, 37, 3), dtype=np.uint8)
    save_png("resize_source.png", source, source, color=RGB)
    for width, height in [(10, 9), (40, 31), (18, 46), (37, 5), (74, 46), (1, 1), (3, 23)]:
        resized = cv2.resize(source, (width, height), interpolation=cv2.INTER_LINEAR)
        save_png(f"resize_{width}x{height}.png", resized, resized, color=RGB)
        del EXPECTED[f"resize_{width}x{height}.png"]
    del EXPECTED["resize_source.png"]


make_jpegs()
make_pngs()
make_resizes()
(HERE / "expected.json").write_text(json.dumps(EXPECTED, indent=1) + "\n")
