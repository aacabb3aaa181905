"""Letterboxing: a picture keeps its shape, and gray fills what it leaves of the square."""

from dataclasses import dataclass

import numpy as np

from ..pictures import resized

GRAY = 114


@dataclass(frozen=True)
class Frame:
    """Where the picture is in the square, in pixels."""

    side: int
    left: int
    top: int
    width: int
    height: int

    @staticmethod
    def around(width: int, height: int, side: int) -> "Frame":
        """The picture as large as fits, in the middle."""
        scale = side / max(width, height)
        inner_width, inner_height = max(1, round(width * scale)), max(1, round(height * scale))
        return Frame(side, (side - inner_width) // 2, (side - inner_height) // 2, inner_width, inner_height)

    def filled(self, picture: np.ndarray) -> np.ndarray:
        """RGB uint8 [side, side, 3] with a picture [height, width, 3] of exactly the frame's size."""
        square = np.full((self.side, self.side, 3), GRAY, np.uint8)
        square[self.top : self.top + self.height, self.left : self.left + self.width] = picture
        return square

    def outward(self, boxes: np.ndarray) -> np.ndarray:
        """Boxes [N, 4], top, left, bottom, right in 0 ... 1 of the picture, as shares of the square."""
        return (boxes * self._sizes() + self._corner()) / np.float32(self.side)

    def inward(self, boxes: np.ndarray) -> np.ndarray:
        """The way back: boxes in shares of the square, as shares of the picture."""
        return (boxes * np.float32(self.side) - self._corner()) / self._sizes()

    def _sizes(self) -> np.ndarray:
        return np.array([self.height, self.width] * 2, np.float32)

    def _corner(self) -> np.ndarray:
        return np.array([self.top, self.left] * 2, np.float32)


def letterboxed(picture: np.ndarray, side: int) -> np.ndarray:
    """A picture of any size, RGB uint8 [height, width, 3], as RGB uint8 [side, side, 3]."""
    frame = Frame.around(picture.shape[1], picture.shape[0], side)
    return frame.filled((resized(picture, frame.height, frame.width) + 0.5).astype(np.uint8))
