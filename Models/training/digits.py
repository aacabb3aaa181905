"""The data: the handwritten digits that ship inside scikit-learn, and how they are split."""

from dataclasses import dataclass

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

LABELS = [str(digit) for digit in range(10)]

HELD_OUT_SHARE = 0.2
SPLIT_SEED = 20


@dataclass(frozen=True)
class Digits:
    """Ink amounts, float32 [N, 8, 8] in 0 (paper) ... 1 (ink), and the digit each of them shows, int64 [N]."""

    ink: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)


def split_digits() -> tuple[Digits, Digits]:
    """The training and the held-out part: always the same ones, with the same share of each digit in both.

    The data set does not say who wrote which digit, so one writer can be in both parts.
    """
    data = load_digits()
    ink = (data.images / 16).astype(np.float32)
    train_ink, held_out_ink, train_labels, held_out_labels = train_test_split(
        ink, data.target, test_size=HELD_OUT_SHARE, random_state=SPLIT_SEED, stratify=data.target
    )
    return Digits(train_ink, train_labels), Digits(held_out_ink, held_out_labels)
