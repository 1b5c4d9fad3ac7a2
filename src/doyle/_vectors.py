"""Sixteen numbers at once inside a kernel: a vector type, its loads, stores and arithmetic.

LLVM turns an explicit vector into the widest instructions the processor has; a loop over sixteen
entries of several arrays costs a test for overlap each time instead. A vector takes the type of the
array it is loaded from: float32 or float64. Arrays of uint16 hold half-precision numbers, which are
float32 once loaded. Nothing here checks bounds.
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

from doyle._numba import include_in_digests

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
    return _VECTORS[types.float32 if array.dtype is types.uint16 else array.dtype]


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    start = context.make_array(array_type)(context, builder, array).data
    element = {types.float32: ir.FloatType(), types.float64: ir.DoubleType()}.get(
        array_type.dtype, ir.HalfType()
    )
    kind = ir.VectorType(element, WIDTH)
    return builder.bitcast(builder.gep(start, [index]), kind.as_pointer()), kind


@intrinsic  # type: ignore[untyped-decorator]
def load(context: Any, array: Any, index: Any) -> Any:
    """`load(array, index)`: the entries from `index` on of a contiguous array."""
    vector = _held_by(array)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, _ = _pointer(context, builder, signature.args[0], *arguments)
        value = builder.load(pointer, align=2 if signature.args[0].dtype is types.uint16 else 4)
        if signature.args[0].dtype is types.uint16:
            value = builder.fpext(value, ir.VectorType(ir.FloatType(), WIDTH))
        return value

    return vector(array, index), generate


@intrinsic  # type: ignore[untyped-decorator]
def store(context: Any, array: Any, index: Any, vector: Any) -> Any:
    """`store(array, index, vector)`: change the entries from `index` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, kind = _pointer(context, builder, signature.args[0], *arguments[:2])
        value = arguments[2]
        if signature.args[0].dtype is types.uint16:
            value = builder.fptrunc(value, kind)
        builder.store(value, pointer, align=2 if signature.args[0].dtype is types.uint16 else 4)
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
def transpose(context: Any, source: Any, rows: Any, target: Any, index: Any, stride: Any) -> Any:
    """`transpose(source, rows, target, index, stride)`: a tile of 16 by 16, rows to columns.

    Row k starts at `source[rows[k]]` (rows: a uint64 array of 16); column k is written to
    `target[index + k * stride]` on.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        starts = context.make_array(signature.args[1])(context, builder, arguments[1]).data
        vectors = []
        for row in range(WIDTH):
            at = builder.load(cgutils.gep(builder, starts, row))
            pointer, _ = _pointer(context, builder, signature.args[0], arguments[0], at)
            vectors.append(builder.load(pointer, align=4))
        for row, vector in enumerate(_transposed(builder, vectors)):
            step = builder.mul(arguments[4], ir.Constant(arguments[4].type, row))
            at = builder.add(arguments[3], step)
            pointer, _ = _pointer(context, builder, signature.args[2], arguments[2], at)
            builder.store(vector, pointer, align=4)
        return context.get_dummy_value()

    return types.none(source, rows, target, index, stride), generate


@intrinsic  # type: ignore[untyped-decorator]
def transpose_to_rows(
    context: Any, source: Any, columns: Any, target: Any, rows: Any, shift: Any
) -> Any:
    """`transpose_to_rows(source, columns, target, rows, shift)`: a tile, columns to rows.

    Column k starts at `source[columns[k]]`; row k is written to `target[rows[k] + shift]` on.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        starts = context.make_array(signature.args[1])(context, builder, arguments[1]).data
        targets = context.make_array(signature.args[3])(context, builder, arguments[3]).data
        vectors = []
        for column in range(WIDTH):
            at = builder.load(cgutils.gep(builder, starts, column))
            pointer, _ = _pointer(context, builder, signature.args[0], arguments[0], at)
            vectors.append(builder.load(pointer, align=4))
        for row, vector in enumerate(_transposed(builder, vectors)):
            at = builder.add(builder.load(cgutils.gep(builder, targets, row)), arguments[4])
            pointer, _ = _pointer(context, builder, signature.args[2], arguments[2], at)
            builder.store(vector, pointer, align=4)
        return context.get_dummy_value()

    return types.none(source, columns, target, rows, shift), generate


def _transposed(builder: Any, vectors: list[Any]) -> list[Any]:
    """Four rounds of exchanging halves of blocks: 8, 4, 2, then 1 entries wide."""
    word = ir.IntType(32)
    half = WIDTH // 2
    while half:
        kept, moved = [], []
        for place in range(WIDTH):
            inside = place % (2 * half)
            kept.append(place if inside < half else WIDTH + place - half)
            moved.append(place + half if inside < half else WIDTH + place)
        first = ir.Constant(ir.VectorType(word, WIDTH), kept)
        second = ir.Constant(ir.VectorType(word, WIDTH), moved)
        for row in range(WIDTH):
            if row % (2 * half) < half:
                low, high = vectors[row], vectors[row + half]
                vectors[row] = builder.shuffle_vector(low, high, first)
                vectors[row + half] = builder.shuffle_vector(low, high, second)
        half //= 2
    return vectors


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
