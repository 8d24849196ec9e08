"""FlatFIT for windows of every size: each jump has the word that it jumps over, and every operation keeps that.

A word over an unbroken stream is an interval (lo, hi), the positions lo .. hi - 1; `combine` of two is right where the second begins
where the first ends. The invariant, of every position i in the window, with `end` behind the newest: i < pointers[i] <= end, and
partials[i] is the word (i, pointers[i]).
"""

from __future__ import annotations

from proofs.z3_tools import proved
from swagcore.ledger import evidence


@evidence(
    "induction",
    of="final.flatfit.right",
    scope="windows of every size, any ranges asked in any order: insert, evict and query keep the invariant",
)
@evidence(
    "induction",
    of="final.flatfit.right_ranges",
    scope="windows of every size: insert, evict and query keep the invariant",
)
def jumps_keep_their_words() -> object:
    """The rule: induction over the steps of a window, and within a query over the positions of its walk, from the last back to the
    first. Closure over small windows ties these steps to the code."""
    import z3

    i, following, end, head, lo, hi = z3.Ints("i following end head lo hi")

    # Insert at position end: its word is (end, end + 1), its jump goes to the new end, and no other jump goes beyond it.
    inserted = z3.And(end < end + 1, following <= end + 1)
    found = proved(inserted, given=[i < following, following <= end], twin=following < end)
    if found is not None:
        return found
    # Evict of the oldest: jumps go forward, so none from inside the window goes to what has left.
    found = proved(following > head, given=[i >= head + 1, i < following], twin=following > head + 2)
    if found is not None:
        return found
    # A walk from i moves forward and stops at the end: it never passes it.
    found = proved(
        z3.And(following > i, following <= end), given=[i < following, following <= end], twin=following < end
    )
    if found is not None:
        return found
    # Going back: the answer so far is the word (following, end), and the jump's word is (i, following). They are adjacent, the older
    # one first; the result is (i, end), and the jump is lengthened to the end: the invariant again, and the answer from i on.
    answer = [lo == following, hi == end, i < following, following <= end]
    joined = z3.And(following == lo, i < hi)  # adjacent, and (i, hi) is the word of the longer jump
    return proved(z3.And(joined, hi == end), given=answer, twin=z3.And(joined, lo == i))
