"""The network in PyTorch: e5's layers, of which the upper half learns; what comes out of the lower half is kept."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its own name everywhere
from numpy.typing import NDArray
from torch import nn

from bench.training.entries.e5_file import E5File

HEADS: Final = 12
EPSILON: Final = 1e-12
WORDS: Final = 96
"""Numbers a word."""
DROPPED: Final = 0.05
FIRST_SCALES: Final = (25.0, 10.0, -27.0)
DENSE: Final = {"q": "query", "k": "key", "v": "value", "ao": "mixed", "fi": "wide", "fo": "narrow"}
NORMS: Final = {"aln": "after_attention", "oln": "after_wide"}
"""Names of the file, and ours."""
States = Any
"""Of a text: a bfloat16 tensor (tokens, hidden)."""


class Layer(nn.Module):  # type: ignore[misc]
    def __init__(self, file: E5File, at: int) -> None:
        super().__init__()
        for name, ours in DENSE.items():
            bias = torch.tensor(file.tensors[f"l{at}.{name}.b"])
            weight = torch.tensor(file.tensors[f"l{at}.{name}.w"]).view(len(bias), -1)
            dense = nn.Linear(weight.shape[1], weight.shape[0])
            dense.weight.data, dense.bias.data = weight, bias
            setattr(self, ours, dense)
        for name, ours in NORMS.items():
            norm = nn.LayerNorm(file.hidden, EPSILON)
            norm.weight.data = torch.tensor(file.tensors[f"l{at}.{name}.w"])
            norm.bias.data = torch.tensor(file.tensors[f"l{at}.{name}.b"])
            setattr(self, ours, norm)

    def forward(self, x: Any, mask: Any) -> Any:
        texts, length, size = x.shape
        q, k, v = (
            part(x).view(texts, length, HEADS, size // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        dropped = DROPPED if self.training else 0.0
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropped)
        mixed = mixed.transpose(1, 2).reshape(texts, length, size)
        x = self.after_attention(x + F.dropout(self.mixed(mixed), DROPPED, self.training))
        wide = F.gelu(self.wide(x), approximate="tanh")
        return self.after_wide(x + F.dropout(self.narrow(wide), DROPPED, self.training))


class Network(nn.Module):  # type: ignore[misc]
    """`lower` stays as it is, so that its states of a text are computed once; `upper`, `words` and `scales` learn.
    `learning`: layers of the upper part, half of them where it is not said."""

    def __init__(self, file: E5File, *, learning: int | None = None) -> None:
        super().__init__()
        self.word = torch.tensor(file.tensors["emb.word"]).view(-1, file.hidden)
        self.place = torch.tensor(file.tensors["emb.pos"]).view(-1, file.hidden)
        self.place = self.place + torch.tensor(file.tensors["emb.type"])[: file.hidden]
        self.norm = nn.LayerNorm(file.hidden, EPSILON)
        self.norm.weight.data = torch.tensor(file.tensors["emb.ln.w"])
        self.norm.bias.data = torch.tensor(file.tensors["emb.ln.b"])
        layers = [Layer(file, at) for at in range(file.layers)]
        lower = file.layers - (file.layers // 2 if learning is None else learning)
        self.lower = nn.ModuleList(layers[:lower])
        self.upper = nn.ModuleList(layers[lower:])
        self.words = nn.Linear(file.hidden, WORDS, bias=False)
        nn.init.orthogonal_(self.words.weight)
        self.scales = nn.Parameter(torch.tensor(FIRST_SCALES))

    def go_on(self, held: Mapping[str, NDArray[Any]]) -> None:
        """From the shipped weights, where training begins with what they know."""
        for at, layer in enumerate([*self.lower, *self.upper]):
            for name in DENSE.values():
                weight = held[f"layer{at}.{name}.q"] * held[f"layer{at}.{name}.s"].astype(np.float32)[:, None]
                dense = getattr(layer, name)
                dense.weight.data = torch.tensor(weight)
                dense.bias.data = torch.tensor(held[f"layer{at}.{name}.b"].astype(np.float32))
            for name in NORMS.values():
                norm = getattr(layer, name)
                norm.weight.data = torch.tensor(held[f"layer{at}.{name}.w"].astype(np.float32))
                norm.bias.data = torch.tensor(held[f"layer{at}.{name}.b"].astype(np.float32))
        self.words.weight.data = torch.tensor(held["words"].astype(np.float32).T.copy())
        self.scales.data = torch.tensor(held["scales"])

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def below(self, texts: Sequence[Sequence[int]], *, at_once: int = 128) -> list[States]:
        """What the lower half makes of each text's ids."""
        found: list[States] = [None] * len(texts)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for start in range(0, len(order), at_once):
            some = order[start : start + at_once]
            longest = max(len(texts[at]) for at in some)
            ids = torch.ones(len(some), longest, dtype=torch.long)
            for row, at in enumerate(some):
                ids[row, : len(texts[at])] = torch.tensor(texts[at])
            mask = (ids != 1)[:, None, None, :]
            with _halved():
                x = self.norm(self.word[ids] + self.place[:longest])
                for layer in self.lower:
                    x = layer(x, mask)
            for row, at in enumerate(some):
                found[at] = x[row, : len(texts[at])].to(torch.bfloat16).clone()
        return found

    def forward(self, states: Sequence[States]) -> tuple[Any, Any, Any]:
        """(wholes, words, which words are real), unit rows, padded to the longest."""
        longest = max(len(one) for one in states)
        x = torch.zeros(len(states), longest, self.word.shape[1])
        real = torch.zeros(len(states), longest, dtype=torch.bool)
        for row, one in enumerate(states):
            x[row, : len(one)], real[row, : len(one)] = one.float(), True
        with _halved():
            for layer in self.upper:
                x = layer(x, real[:, None, None, :])
            words = self.words(x)
        kept = real[..., None].float()
        wholes = F.normalize((x.float() * kept).sum(1) / kept.sum(1), dim=-1)
        return wholes, F.normalize(words.float(), dim=-1) * kept, real

    def odds(self, asked: tuple[Any, Any, Any], told: tuple[Any, Any, Any]) -> Any:
        """Shape (messages, entries): log-odds that the entry answers rather than none."""
        wholes, words, real = asked
        their_wholes, their_words, theirs = told
        best = (words.reshape(-1, WORDS) @ their_words.reshape(-1, WORDS).T).view(*words.shape[:2], len(theirs), -1)
        best = best.masked_fill(~theirs[None, None], -1.0).amax(-1)
        mean = (best * real[:, :, None]).sum(1) / real.sum(1)[:, None]
        return self.scales[0] * (wholes @ their_wholes.T) + self.scales[1] * mean + self.scales[2]


def _halved() -> Any:
    """In bfloat16 where the processor computes with it: elsewhere it is sixty times slower than float32."""
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=torch.ops.mkldnn._is_mkldnn_bf16_supported())
