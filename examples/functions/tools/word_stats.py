import re
from collections import Counter
from typing import List, Literal, Optional


def run(
    text: str,
    ignore: Optional[List[str]] = None,
    order: Optional[Literal["count", "word"]] = None,
    top: Optional[int] = None,
):
    """Count the words of a text.

    Args:
        text: The text to count
        ignore: Words to pass over
        order: What the words are sorted by
        top: How many words to give back
    """
    words = re.findall(r"\w+", text.lower())
    skipped = {word.lower() for word in ignore or []}
    counts = Counter(word for word in words if word not in skipped)
    ranked = sorted(counts.items()) if order == "word" else counts.most_common()
    print(f"{len(words)} words read")
    return {"words": len(words), "counts": [{"word": w, "count": c} for w, c in ranked[: top or 10]]}
