"""Trains `corpus/late_interaction` on messages and the entries that answer them.

    python3 -m venv ~/torch && ~/torch/bin/pip install torch numpy
    make train-entries      # 40 minutes of two cores -> corpus/late_interaction/weights.npz, entries.npz

PyTorch (BSD-3, some 3 GB with what it brings) is no dependency of ours: only who trains needs it.
"""
