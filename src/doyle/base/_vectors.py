"""Sixteen numbers at once inside a kernel: a vector type, its loads, stores and arithmetic.

LLVM turns an explicit vector into the widest instructions the processor has; a loop over sixteen
entries of several arrays costs a test for overlap each time instead. A vector has the type of the
array it is loaded from: float32 or float64. Bounds are not checked.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_model

from doyle.base._numba import include_in_digests

WIDTH = 16
"""How many numbers a vector holds."""


class VectorType(types.Type):  # type: ignore[misc]
    """Sixteen numbers of one floating-point type."""

    def __init__(self, element: Any) -> None:
        self.element = element
        super().__init__(name=f"vector{WIDTH}({element})")


_VECTORS = {types.float32: VectorType(types.float32), types.float64: VectorType(types.float64)}


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, fe_type: VectorType) -> None:
        element = ir.FloatType() if fe_type.element is types.float32 else ir.DoubleType()
        super().__init__(manager, fe_type, ir.VectorType(element, WIDTH))


def _held_by(array: Any) -> VectorType:
    """The vector that entries of `array` become."""
    return _VECTORS[array.dtype]


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    start = context.make_array(array_type)(context, builder, array).data
    kind = context.get_value_type(_held_by(array_type))
    return builder.bitcast(builder.gep(start, [index]), kind.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def load(context: Any, array: Any, index: Any) -> Any:
    """`load(array, index)`: the entries from `index` on of a contiguous array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load(pointer, align=4)

    return _held_by(array)(array, index), generate


@intrinsic  # type: ignore[untyped-decorator]
def store(context: Any, array: Any, index: Any, vector: Any) -> Any:
    """`store(array, index, vector)`: change the entries from `index` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], pointer, align=4)
        return context.get_dummy_value()

    return types.none(array, index, vector), generate


@intrinsic  # type: ignore[untyped-decorator]
def filled(context: Any, array: Any, number: Any) -> Any:
    """`filled(array, number)`: a vector of the kind that `array` holds with one number throughout."""
    vector = _held_by(array)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = context.cast(builder, arguments[1], signature.args[1], vector.element)
        kind = context.get_value_type(vector)
        single = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.IntType(32)(0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return builder.shuffle_vector(single, single, zeros)

    return vector(array, number), generate


def _binary(emit: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """An intrinsic of two equal vectors."""

    @intrinsic  # type: ignore[untyped-decorator]
    def operation(context: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0], arguments[1])

        return left(left, right), generate

    return operation  # type: ignore[no-any-return]


_add = _binary(lambda builder, left, right: builder.fadd(left, right))
_subtract = _binary(lambda builder, left, right: builder.fsub(left, right))
_multiply = _binary(lambda builder, left, right: builder.fmul(left, right))
_divide = _binary(lambda builder, left, right: builder.fdiv(left, right))
larger = _binary(
    lambda builder, left, right: builder.select(builder.fcmp_ordered(">", left, right), left, right)
)
"""`larger(a, b)`: entry by entry the larger one."""


@intrinsic  # type: ignore[untyped-decorator]
def where_positive(context: Any, test: Any, yes: Any, no: Any) -> Any:
    """`where_positive(test, yes, no)`: entry by entry `yes` where `test` is above zero, else `no`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero = ir.Constant(arguments[0].type, [0.0] * WIDTH)
        return builder.select(builder.fcmp_ordered(">", arguments[0], zero), *arguments[1:])

    return yes(test, yes, no), generate


@intrinsic  # type: ignore[untyped-decorator]
def gather_rows(
    context: Any, source: Any, rows: Any, first: Any, stride: Any, shift: Any, target: Any, at: Any
) -> Any:
    """`gather_rows(source, rows, first, stride, shift, target, at)`: a tile, rows to columns.

    Row k of the tile starts at `source[rows[first + k] * stride + shift]`; its columns are written
    one after the other from `target[at]` on.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, rows, first, stride, shift, target, at = arguments
        starts = _offsets(context, builder, signature.args[1], rows, first, stride, shift)
        vectors = _loaded(context, builder, signature.args[0], source, starts)
        for column, vector in enumerate(_transposed(builder, vectors)):
            place = builder.add(at, ir.Constant(at.type, WIDTH * column))
            pointer = _pointer(context, builder, signature.args[5], target, place)
            builder.store(vector, pointer, align=4)
        return context.get_dummy_value()

    return types.none(source, rows, first, stride, shift, target, at), generate


@intrinsic  # type: ignore[untyped-decorator]
def scatter_rows(
    context: Any,
    source: Any,
    columns: Any,
    first_column: Any,
    base: Any,
    target: Any,
    rows: Any,
    first: Any,
    stride: Any,
    shift: Any,
) -> Any:
    """The reverse of `gather_rows`, from columns at arbitrary positions.

    Column k starts at `source[columns[first_column + k] * 16 + base]`; row k is written to
    `target[rows[first + k] * stride + shift]` on.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, columns, first_column, base, target, rows, first, stride, shift = arguments
        width = ir.Constant(base.type, WIDTH)
        begins = _offsets(context, builder, signature.args[1], columns, first_column, width, base)
        ends = _offsets(context, builder, signature.args[5], rows, first, stride, shift)
        vectors = _loaded(context, builder, signature.args[0], source, begins)
        for end, vector in zip(ends, _transposed(builder, vectors), strict=True):
            pointer = _pointer(context, builder, signature.args[4], target, end)
            builder.store(vector, pointer, align=4)
        return context.get_dummy_value()

    return types.none(
        source, columns, first_column, base, target, rows, first, stride, shift
    ), generate


def _offsets(
    context: Any, builder: Any, kind: Any, numbers: Any, first: Any, stride: Any, shift: Any
) -> list[Any]:
    """numbers[first + k] * stride + shift for sixteen k."""
    data = builder.gep(context.make_array(kind)(context, builder, numbers).data, [first])
    found = []
    for k in range(WIDTH):
        number = builder.zext(builder.load(cgutils.gep(builder, data, k)), stride.type)
        found.append(builder.add(builder.mul(number, stride), shift))
    return found


def _loaded(context: Any, builder: Any, kind: Any, array: Any, starts: list[Any]) -> list[Any]:
    pointers = [_pointer(context, builder, kind, array, start) for start in starts]
    return [builder.load(pointer, align=4) for pointer in pointers]


def _lanes(pattern: list[int]) -> list[int]:
    """A choice within 128 bits of two vectors, for all four quarters."""
    return [
        (WIDTH if place >= 4 else 0) + 4 * quarter + place % 4
        for quarter in range(4)
        for place in pattern
    ]


def _quarters(pattern: list[int]) -> list[int]:
    """A choice of whole quarters of two vectors."""
    return [4 * quarter + place for quarter in pattern for place in range(4)]


_LOW_SINGLES, _HIGH_SINGLES = _lanes([0, 4, 1, 5]), _lanes([2, 6, 3, 7])
_LOW_PAIRS, _HIGH_PAIRS = _lanes([0, 1, 4, 5]), _lanes([2, 3, 6, 7])
_EVEN_QUARTERS, _ODD_QUARTERS = _quarters([0, 2, 4, 6]), _quarters([1, 3, 5, 7])


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """The columns of sixteen rows, by shuffles that are single instructions on x86.

    Singles and then pairs are interleaved within quarters of 128 bits, then quarters are exchanged.
    """

    def shuffled(left: Any, right: Any, pattern: list[int]) -> Any:
        mask = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), pattern)
        return builder.shuffle_vector(left, right, mask)

    singles = []
    for row in range(0, WIDTH, 2):
        pair = rows[row], rows[row + 1]
        singles += [shuffled(*pair, _LOW_SINGLES), shuffled(*pair, _HIGH_SINGLES)]
    pairs = []
    for row in range(0, WIDTH, 4):
        for part in (0, 1):
            pair = singles[row + part], singles[row + 2 + part]
            pairs += [shuffled(*pair, _LOW_PAIRS), shuffled(*pair, _HIGH_PAIRS)]
    halves = []
    for row in (0, 8):
        for pattern in (_EVEN_QUARTERS, _ODD_QUARTERS):
            halves += [shuffled(pairs[row + k], pairs[row + 4 + k], pattern) for k in range(4)]
    return [
        shuffled(halves[k], halves[8 + k], pattern)
        for pattern in (_EVEN_QUARTERS, _ODD_QUARTERS)
        for k in range(8)
    ]


def _offer(symbol: Callable[[Any, Any], Any], operation: Any) -> None:
    """Let kernels write the operation with its usual symbol."""

    @overload(symbol, strict=False)  # type: ignore[untyped-decorator]
    def choose(left: Any, right: Any) -> Any:
        if isinstance(left, VectorType) and left == right:
            return lambda left, right: operation(left, right)
        return None


for _symbol, _operation in (
    (operator.add, _add),
    (operator.sub, _subtract),
    (operator.mul, _multiply),
    (operator.truediv, _divide),
):
    _offer(_symbol, _operation)

include_in_digests(__name__)
