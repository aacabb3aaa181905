"""What a program in Python does from its start to the first label; it is timed from outside.

    cold_pillow.py MODEL PICTURE SIDE
"""

import sys

import numpy
from ai_edge_litert.interpreter import Interpreter
from PIL import Image

model, picture, side = sys.argv[1], sys.argv[2], int(sys.argv[3])
interpreter = Interpreter(model_path=model)
interpreter.allocate_tensors()
pixels = numpy.asarray(Image.open(picture).convert("RGB").resize((side, side), Image.Resampling.BILINEAR))[None]
details = interpreter.get_input_details()[0]
if details["dtype"] == numpy.float32:
    pixels = (pixels.astype(numpy.float32) - 127.5) / 127.5
interpreter.set_tensor(details["index"], pixels)
interpreter.invoke()
scores = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])[0]
for index in numpy.argsort(scores)[::-1][:3]:
    print(int(index), scores[index])
