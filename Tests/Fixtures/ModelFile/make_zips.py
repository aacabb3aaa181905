"""Makes the zips of this folder with Python's zipfile, the writer that most model tools use. Run in this folder."""

import io
import zipfile

DATE = (2024, 5, 6, 7, 8, 10)
LABELS = b"daisy\nrose\n"
MANIFEST = b'{\n  "modelType": "IMAGE_LABELING",\n  "modelFile": "model.tflite",\n  "labelsFile": "dict.txt",\n}\n'


def add(archive, name, data, method):
    info = zipfile.ZipInfo(name, DATE)
    info.compress_type = method
    archive.writestr(info, data)


class OneWay(io.BytesIO):
    """A stream that cannot seek: zipfile then writes sizes behind the data instead of in front."""

    def seekable(self):
        return False

    def seek(self, *_):
        raise OSError

    def tell(self):
        raise OSError


with zipfile.ZipFile("texts.zip", "w") as archive:
    archive.mkdir("folder")
    add(archive, "folder/stored.txt", b"stored text", zipfile.ZIP_STORED)
    add(archive, "deflated.txt", b"hearth " * 1000, zipfile.ZIP_DEFLATED)
    add(archive, "empty.txt", b"", zipfile.ZIP_STORED)
    archive.comment = b"a comment"

stream = OneWay()
with zipfile.ZipFile(stream, "w") as archive:
    add(archive, "streamed.txt", b"hearth " * 1000, zipfile.ZIP_DEFLATED)
with open("streamed.zip", "wb") as file:
    file.write(stream.getvalue())

with zipfile.ZipFile("large_header.zip", "w") as archive:
    with archive.open(zipfile.ZipInfo("a.txt", DATE), "w", force_zip64=True) as member:
        member.write(b"text")

with zipfile.ZipFile("empty.zip", "w"):
    pass

with open("relu.tflite", "rb") as file:
    MODEL = file.read()
with zipfile.ZipFile("export.zip", "w") as archive:
    archive.mkdir("flowers")
    add(archive, "flowers/manifest.json", MANIFEST, zipfile.ZIP_DEFLATED)
    add(archive, "flowers/model.tflite", MODEL, zipfile.ZIP_DEFLATED)
    add(archive, "flowers/dict.txt", LABELS, zipfile.ZIP_DEFLATED)
    add(archive, "__MACOSX/flowers/._manifest.json", b"\0", zipfile.ZIP_DEFLATED)
