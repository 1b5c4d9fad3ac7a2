"""Methods that walk the whole game, over its sequence form.

In reading order: `sequence_form` (plans and products), `cfr` (the CFR family),
`excessive_gap` and `egt` (the excessive gap technique), `lp` (the exact program);
`restricted` (responses to a model of bounded loss, by the same program).
"""
