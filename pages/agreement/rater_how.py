"""Method notes of raters' agreement."""

from __future__ import annotations

from core.agreement.ratings import LEAST_UNITS
from core.agreement.scored import PILED_UP
from pages.agreement.parts import NO_VALUE
from services.agreement.raters import INTERVALS

HOW = f"""\
- **What counts**: submitted scores, by pseudonym. A triplet you are scoring is left out, so that you stay
  blind. A triplet whose critics have not all given six scores is *incomplete*: its critics are left out.
- **MAE** is mean |critics' mean − expert| over pairs of expert and triplet, criterion by criterion, and over all six
  together; among experts, mean |first − second| over every two experts of a triplet. On the scale of the scores,
  0–3. n: pairs.
- **Bias** is the mean of first − second: above 0 where critics score higher than the expert; among experts, only if
  the same two scored everything; first is the one whose pseudonym comes first.
- **Decisions**: accept if every criterion reaches 2 and the total 15, for critics by their means, for an expert by
  that expert's scores, computed without rounding. A total of exactly 15 follows your setting: the paper accepts it,
  the released README rejects it. **Agreement** is the share of pairs with the same decision, **κ** Cohen's (1960);
  the cells count pairs.
- **α** is Krippendorff's (2011) for ordinal data, **weighted κ** has quadratic weights (Cohen 1968), both over units
  that two raters rated; the means of three critics are on a scale of thirds.
- **ICC**: six forms by Shrout and Fleiss (1979): (1, ·) raters differ from unit to unit, (2, ·) absolute agreement of
  a sample of raters, (3, ·) consistency of these raters; (·, 1) of one rater, (·, k) of the mean of all. Intervals
  are bootstrapped over papers where there are two raters and both scored everything, else they follow from the F
  distribution (McGraw and Wong 1996). If the same experts scored everything, each expert is a rater. Otherwise raters
  are numbered by order of submission, and only ICC(1, ·) is meaningful.
- A coefficient needs {LEAST_UNITS} units. **Share at 3**: from {PILED_UP:.0%} on, a warning, because with so
  little variance α, κ and ICC can be low or undefined even where raters agree.
- **Validation form** (Lee et al. 2025): entities 0–2, direction 0–1, causal 0–1
  from each of two raters; combined score out of 8.
- **Intervals** of everything but ICC: 95%, bootstrap over papers, {INTERVALS.draws:,} draws, seed {INTERVALS.seed}.
- **{NO_VALUE}** means undefined; the reason is given next to the open cell and in the CSV.
- Sources: EconCausal, section 3.3 and appendix B (73.8% agreement, MAE 0.229); Lee et al. 2025.
  Conventions: docs/agreement.md.
"""
