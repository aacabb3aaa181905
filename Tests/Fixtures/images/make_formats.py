#!/usr/bin/env python3
"""Makes the WebP, GIF and BMP fixtures and what is expected of them.

Needs Pillow and numpy. Writes next to itself: the files, and expected_formats.json (the upright RGB bytes of each, in hex).
GIF and BMP files are put together here, because Pillow writes few of their variants; what Pillow can read, it checks.
"""

import io
import itertools
import json
import pathlib
import struct

import numpy as np
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
EXPECTED = {}
WIDTH, HEIGHT = 11, 7


def keep(name, data, rgb, orientation=1, *, tolerance=0, known_to_pillow=True):
    """Writes a file and notes that it shows `rgb` when upright; Pillow must see the same."""
    rgb = np.asarray(rgb, np.uint8)
    (HERE / name).write_bytes(data)
    EXPECTED[name] = {
        "width": rgb.shape[1], "height": rgb.shape[0], "orientation": orientation, "rgb": rgb.tobytes().hex()}
    if known_to_pillow:
        seen = np.asarray(as_pillow_sees(data), int)
        assert seen.shape == rgb.shape and np.abs(seen - rgb).max() <= tolerance, name


def as_pillow_sees(data):
    image = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    return image.convert("RGBA").convert("RGB")


def picture():
    """Different under every turn and mirror: a bright corner block on slopes of colour."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    rgb = np.stack([x * 16, y * 30, 120 - x * 5 + y * 9], axis=2).astype(np.uint8)
    rgb[0:2, 0:4] = (250, 240, 20)
    return rgb


def indices(count):
    """A picture of `count` colours, by number, and as many colours."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    places = ((x + 3 * y) % count).astype(np.uint8)
    return places, np.random.default_rng(count).integers(0, 256, (count, 3), dtype=np.uint8)


# ---- WebP

def exif(orientation):
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"MM\0*" + struct.pack(">IH", 8, 1) + entry + bytes(4)


def webp(image, **options):
    target = io.BytesIO()
    image.save(target, "WEBP", **options)
    return target.getvalue()


def chunk(tag, data):
    return tag + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def chunks(file):
    offset = 12
    while offset < len(file):
        size, = struct.unpack_from("<I", file, offset + 4)
        yield file[offset:offset + 4], file[offset + 8:offset + 8 + size]
        offset += 8 + size + size % 2


def riff(*parts):
    return b"RIFF" + struct.pack("<I", 4 + sum(map(len, parts))) + b"WEBP" + b"".join(parts)


def uint24(value):
    return struct.pack("<I", value)[:3]


def animation(canvas, background, *frames):
    """Each frame is its place, its size and the still picture's file that it shows."""
    parts = [
        chunk(b"VP8X", struct.pack("<I", 0x12) + uint24(canvas[0] - 1) + uint24(canvas[1] - 1)),
        chunk(b"ANIM", struct.pack("<4BH", *background[::-1], 255, 0))]
    for (x, y), (width, height), still in frames:
        picture_chunks = [chunk(*found) for found in chunks(still) if found[0] in (b"ALPH", b"VP8 ", b"VP8L")]
        head = uint24(x // 2) + uint24(y // 2) + uint24(width - 1) + uint24(height - 1) + uint24(100) + b"\0"
        parts.append(chunk(b"ANMF", head + b"".join(picture_chunks)))
    return riff(*parts)


def make_webps():
    rgb = picture()
    alpha = np.tile(np.linspace(0, 255, WIDTH).astype(np.uint8), (HEIGHT, 1))
    opaque, clear = Image.fromarray(rgb), Image.fromarray(np.dstack([rgb, alpha]))
    lossless = webp(opaque, lossless=True)
    keep("lossless.webp", lossless, rgb)
    keep("lossless_alpha.webp", webp(clear, lossless=True, exact=True), rgb)
    for name, image in (("lossy.webp", opaque), ("lossy_alpha.webp", clear)):
        data = webp(image, quality=90, exact=True)
        keep(name, data, as_pillow_sees(data))
    turned = opaque.transpose(Image.Transpose.ROTATE_90)
    keep("orientation_6.webp", webp(turned, lossless=True, exif=exif(6)), rgb, 6)
    flipped = opaque.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    # As some programs write it, with the marker that JPEG needs.
    parts = [(tag, b"Exif\0\0" * (tag == b"EXIF") + data)
             for tag, data in chunks(webp(flipped, lossless=True, exif=exif(4)))]
    keep("orientation_4.webp", riff(*itertools.starmap(chunk, parts)), rgb, 4)
    black = webp(Image.new("RGB", (WIDTH, HEIGHT)), lossless=True)
    size = (WIDTH, HEIGHT)
    keep("animated.webp", animation(size, (9, 8, 7), ((0, 0), size, lossless), ((0, 0), size, black)), rgb)
    # Pillow shows black where the first frame does not reach; here it is the file's own background.
    canvas = np.full((HEIGHT + 4, WIDTH + 5, 3), (200, 100, 50), np.uint8)
    canvas[4:, 2:2 + WIDTH] = rgb
    keep("animated_offset.webp", animation((WIDTH + 5, HEIGHT + 4), (200, 100, 50), ((2, 4), size, lossless)), canvas,
         known_to_pillow=False)
    lossy = webp(clear, quality=90, exact=True)
    tall = as_pillow_sees(webp(Image.effect_noise((16, 64), 40), quality=10))
    for name, options in (("tall_lossy.webp", {"quality": 10}), ("tall_lossless.webp", {"lossless": True})):
        data = webp(tall.quantize(4).convert("RGB"), **options)
        keep(name, data, as_pillow_sees(data))
        del EXPECTED[name]
    keep("animated_lossy_alpha.webp", animation(size, (0, 0, 0), ((0, 0), size, lossy)), as_pillow_sees(lossy))


# ---- GIF

def color_table(colors):
    """The table, filled up to a power of two, and its size as headers state it."""
    bits = max(int(len(colors) - 1).bit_length(), 1)
    return bytes(np.vstack([colors, np.zeros((2**bits - len(colors), 3), np.uint8)])), bits - 1


def lzw(places, code_size):
    """Codes of one length: the dictionary is cleared before it makes them longer."""
    clear, end = 1 << code_size, (1 << code_size) + 1
    codes = []
    for number, place in enumerate(places.flatten()):
        if number % (clear - 2) == 0:
            codes.append(clear)
        codes.append(int(place))
    bits = "".join(format(code, f"0{code_size + 1}b")[::-1] for code in codes + [end])
    bits = bits.ljust(-(-len(bits) // 8) * 8, "0")
    data = bytes(int(bits[start:start + 8][::-1], 2) for start in range(0, len(bits), 8))
    blocks = [data[start:start + 255] for start in range(0, len(data), 255)]
    return bytes([code_size]) + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def gif_frame(places, colors=None, *, at=(0, 0), interlaced=False, transparent=None):
    flags, table = 0x40 * interlaced, b""
    if colors is not None:
        table, size = color_table(colors)
        flags |= 0x80 | size
    if interlaced:
        order = itertools.chain(*(range(start, len(places), step) for start, step in ((0, 8), (4, 8), (2, 4), (1, 2))))
        stored = places[list(order)]
    else:
        stored = places
    control = b"" if transparent is None else b"\x21\xF9\x04" + struct.pack("<BHBB", 1, 0, transparent, 0)
    description = struct.pack("<BHHHHB", 0x2C, *at, places.shape[1], places.shape[0], flags)
    return control + description + table + lzw(stored, max(int(places.max()).bit_length(), 2))


def gif(screen, colors, *frames, background=0):
    flags, table = 0, b""
    if colors is not None:
        table, size = color_table(colors)
        flags = 0x80 | size
    comment = b"\x21\xFE\x05Hello\x05again\0"
    return b"GIF89a" + struct.pack("<HHBBB", *screen, flags, background, 0) + table + comment + b"".join(frames) + b";"


def make_gifs():
    size = (WIDTH, HEIGHT)
    for count in (2, 16, 64):
        places, colors = indices(count)
        keep(f"colors_{count}.gif", gif(size, colors, gif_frame(places)), colors[places])
    rgb = colors[places]
    target = io.BytesIO()
    image = Image.fromarray(rgb).quantize(256, dither=Image.Dither.NONE)
    image.save(target, "GIF", interlace=0)
    keep("compressed.gif", target.getvalue(), image.convert("RGB"))
    keep("interlaced.gif", gif(size, colors, gif_frame(places, interlaced=True)), rgb)
    keep("transparent.gif", gif(size, colors, gif_frame(places, transparent=3)), rgb)
    other = colors[::-1]
    keep("local_colors.gif", gif(size, other, gif_frame(places, colors)), rgb)
    keep("only_local_colors.gif", gif(size, None, gif_frame(places, colors)), rgb)
    zeros = np.zeros_like(places)
    keep("animated.gif", gif(size, colors, gif_frame(places), gif_frame(zeros)), rgb)
    # Pillow shows the first colour where the frame does not reach; here it is the file's own background.
    canvas = np.full((HEIGHT + 3, WIDTH + 4, 3), colors[5], np.uint8)
    canvas[2:2 + HEIGHT, 3:3 + WIDTH] = rgb
    keep("offset.gif", gif((WIDTH + 4, HEIGHT + 3), colors, gif_frame(places, at=(3, 2)), background=5), canvas,
         known_to_pillow=False)
    canvas[:], canvas[2:2 + HEIGHT, 3:3 + WIDTH] = 0, rgb
    keep("offset_black.gif", gif((WIDTH + 4, HEIGHT + 3), None, gif_frame(places, colors, at=(3, 2)), background=5),
         canvas, known_to_pillow=False)
    # More than one block of data, so that there is something left of a cut file.
    tall, shades = np.resize(places, (64, 11)) % 4, colors[:4]
    for name, interlaced in (("tall.gif", False), ("tall_interlaced.gif", True)):
        keep(name, gif((11, 64), shades, gif_frame(tall, interlaced=interlaced)), shades[tall])
        del EXPECTED[name]
    # The frame reaches beyond the stated size: the picture grows.
    keep("larger_frame.gif", gif((4, 4), colors, gif_frame(places)), rgb)
    keep("no_screen.gif", gif((0, 0), colors, gif_frame(places)), rgb, known_to_pillow=False)


# ---- BMP

def bmp_rows(values, bits, top_down=False):
    """Rows of numbers, the last row first, padded to 4 bytes."""
    rows = b""
    for row in values if top_down else values[::-1]:
        if bits >= 8:
            data = b"".join(int(value).to_bytes(bits // 8, "little") for value in row)
        else:
            text = "".join(format(int(value), f"0{bits}b") for value in row)
            data = int(text.ljust(-(-len(text) // 8) * 8, "0"), 2).to_bytes(-(-len(text) // 8), "big")
        rows += data + bytes(-len(data) % 4)
    return rows


def bmp(bits, pixels, *, colors=(), masks=(), coding=0, top_down=False, header=40, size=(WIDTH, HEIGHT)):
    """`masks` are red, green, blue and perhaps alpha."""
    width, height = size
    entries = b"".join(bytes([blue, green, red]) + b"\0" * (header != 12) for red, green, blue in colors)
    if header == 12:
        body = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        body = struct.pack(
            "<IiiHHIIiiII", header, width, -height if top_down else height, 1, bits, coding, len(pixels), 2835, 2835,
            len(colors), 0)
    body += struct.pack(f"<{len(masks)}I", *masks)
    body += bytes(max(header - len(body), 0)) + entries
    offset = 14 + len(body)
    return b"BM" + struct.pack("<IHHI", offset + len(pixels), 0, 0, offset) + body + pixels


def packed(rgb, *shares):
    """Numbers whose channels have their bits and their shift as `shares` say: red, green, blue and perhaps alpha."""
    result = np.zeros(rgb.shape[:2], np.uint64)
    for channel, (bits, shift) in enumerate(shares):
        values = rgb[:, :, channel].astype(np.uint64) if channel < 3 else np.uint64(77)
        result |= (values * np.uint64(2**bits - 1) // np.uint64(255)) << np.uint64(shift)
    return result


def unpacked(numbers, *shares):
    """What those numbers show: each channel spread over 0...255."""
    channels = [np.rint((numbers >> np.uint64(shift) & np.uint64(2**bits - 1)) * 255.0 / (2**bits - 1))
                for bits, shift in shares[:3]]
    return np.stack(channels, axis=2).astype(np.uint8)


def mask(bits, shift):
    return (2**bits - 1) << shift


def make_bmps():
    rgb = picture()
    bgr = packed(rgb, (8, 16), (8, 8), (8, 0))
    keep("bgr.bmp", bmp(24, bmp_rows(bgr, 24)), rgb)
    keep("top_down.bmp", bmp(24, bmp_rows(bgr, 24, True), top_down=True), rgb)
    keep("core_24.bmp", bmp(24, bmp_rows(bgr, 24), header=12), rgb)
    keep("v5.bmp", bmp(24, bmp_rows(bgr, 24), header=124), rgb)
    for bits in (1, 2, 4, 8):
        places, colors = indices(min(2**bits, 60))
        keep(f"indexed_{bits}.bmp", bmp(bits, bmp_rows(places, bits), colors=colors), colors[places],
             known_to_pillow=bits != 2)
        if bits in (1, 4, 8):
            full = np.vstack([colors, np.zeros((2**bits - len(colors), 3), np.uint8)])
            keep(f"core_{bits}.bmp", bmp(bits, bmp_rows(places, bits), colors=full, header=12), colors[places])
    places, colors = indices(16)
    keep("os2_64.bmp", bmp(4, bmp_rows(places, 4), colors=colors, header=64), colors[places])
    make_masked_bmps(rgb)
    make_run_bmps()


def make_masked_bmps(rgb):
    layouts = {
        "rgb555.bmp": (16, 40, None, ((5, 10), (5, 5), (5, 0))),
        "rgb565.bmp": (16, 40, 3, ((5, 11), (6, 5), (5, 0))),
        "rgb444.bmp": (16, 56, 3, ((4, 8), (4, 4), (4, 0), (4, 12))),
        "bgrx.bmp": (32, 40, None, ((8, 16), (8, 8), (8, 0))),
        "bgra_v4.bmp": (32, 108, 3, ((8, 16), (8, 8), (8, 0), (8, 24))),
        "rgba_v5.bmp": (32, 124, 3, ((8, 0), (8, 8), (8, 16), (8, 24))),
        "alpha_fields.bmp": (32, 40, 6, ((8, 16), (8, 8), (8, 0), (8, 24))),
        "rgb_10_bits.bmp": (32, 40, 3, ((10, 20), (10, 10), (10, 0))),
    }
    known = {"rgb555.bmp", "rgb565.bmp", "bgrx.bmp", "bgra_v4.bmp", "rgba_v5.bmp"}
    for name, (bits, header, coding, shares) in layouts.items():
        numbers = packed(rgb, *shares)
        masks = () if coding is None else tuple(mask(*share) for share in shares)
        shown = numbers_of_8_bits(numbers, shares) if name == "rgb_10_bits.bmp" else unpacked(numbers, *shares)
        data = bmp(bits, bmp_rows(numbers, bits), masks=masks, coding=coding or 0, header=header)
        keep(name, data, shown, tolerance=1, known_to_pillow=name in known)


def numbers_of_8_bits(numbers, shares):
    """Of more than 8 bits the highest 8 count."""
    return unpacked(numbers, *((8, shift + bits - 8) for bits, shift in shares))


def make_run_bmps():
    places, colors = indices(16)
    runs8 = b"".join(encoded_row(row, 8) for row in places[::-1]) + b"\0\1"
    keep("runs_8.bmp", bmp(8, runs8, colors=colors, coding=1), colors[places])
    runs4 = b"".join(encoded_row(row, 4) for row in places[::-1]) + b"\0\1"
    keep("runs_4.bmp", bmp(4, runs4, colors=colors, coding=2), colors[places])
    # A step over pixels, a run that is too long for its row, and an early end: what is left out has the first colour.
    skipped = b"\5\1" + b"\0\2\2\1" + b"\x40\2" + b"\0\0" + b"\3\4" + b"\0\1"
    shown = np.zeros_like(places)
    shown[HEIGHT - 1, :5], shown[HEIGHT - 2, 7:], shown[HEIGHT - 3, :3] = 1, 2, 4
    keep("runs_skipped.bmp", bmp(8, skipped, colors=colors, coding=1), colors[shown], known_to_pillow=False)


def encoded_row(row, bits):
    """Three pixels as a run of one (RLE4: two) colours each, five as they are, the rest as runs; then the row's end."""
    result = b"".join(bytes([1, int(value) << (8 - bits) if bits == 4 else int(value)]) for value in row[:3])
    plain = [int(value) for value in row[3:8]]
    data = bytes(plain) if bits == 8 else bytes((a << 4) | b for a, b in zip(plain[::2], plain[1::2] + [0]))
    result += bytes([0, 5]) + data + bytes(len(data) % 2)
    return result + b"".join(bytes([1, int(value) << (8 - bits) if bits == 4 else int(value)]) for value in row[8:]) + b"\0\0"


make_webps()
make_gifs()
make_bmps()
(HERE / "expected_formats.json").write_text(json.dumps(EXPECTED, indent=1) + "\n")
