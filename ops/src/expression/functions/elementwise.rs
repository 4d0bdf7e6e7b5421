//! Functions of numbers, bits and missing values.

use super::{Elementwise, HashFunction};
use crate::expression::{Expr, Literal, Node, lit, when};
use columnade_kernels::elementwise::math::MathOp;

impl Expr {
    /// A function of the values of a row.
    pub(in crate::expression) fn elementwise(function: Elementwise, arguments: Vec<Expr>) -> Expr {
        Expr::new(Node::Elementwise(function, arguments))
    }

    fn with(self, function: Elementwise, other: impl Into<Expr>) -> Expr {
        Expr::elementwise(function, vec![self, other.into()])
    }
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident $function:expr;)*) => {
        impl Expr {
            $($(#[$doc])*
            pub fn $name(self) -> Expr {
                Expr::elementwise($function, vec![self])
            })*
        }
    };
}

functions! {
    /// e to the power of a number.
    ///
    /// `float64`; a `float32` stays one and is computed in 64 bits. Null for null, NaN for NaN. The result is within one unit in
    /// the last place on the host and within two on CUDA devices, where the last bits may differ; on one device it
    /// repeats. So for the other exponentials, logarithms, trigonometric and hyperbolic functions.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").exp())?, "54.598150033144236 148.4131591025766 1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.exp`, Polars `Expr.exp`, cudf/unary.hpp `EXP`.
    exp Elementwise::Math(MathOp::Exp);
    /// One less than e to the power of a number, exact near zero; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).expm1().round(3))?, "1.718 1.718 1.718");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.expm1`.
    expm1 Elementwise::Math(MathOp::Expm1);
    /// The natural logarithm; NaN of a negative number, −∞ of zero. Dtypes and accuracy as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") - 4).ln())?, "-inf 0.0 NaN");
    /// assert_eq!(show((col("y") - 3).log(2.0))?, "0.0 1.0 NaN");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.log`, Polars `Expr.log`, cudf/unary.hpp `LOG`.
    ln Elementwise::Math(MathOp::Log);
    /// The natural logarithm of one more than the number, exact near zero; as [`ln`](Expr::ln).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).log1p().round(3))?, "0.693 0.693 0.693");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.log1p`, Polars `Expr.log1p`.
    log1p Elementwise::Math(MathOp::Log1p);
    /// The logarithm to base 2; as [`ln`](Expr::ln).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(8.0).log2())?, "3.0 3.0 3.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.log2`.
    log2 Elementwise::Math(MathOp::Log2);
    /// The logarithm to base 10; as [`ln`](Expr::ln).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1000.0).log10())?, "3.0 3.0 3.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.log10`, Polars `Expr.log10`.
    log10 Elementwise::Math(MathOp::Log10);
    /// The square root, correctly rounded; NaN of a negative number. Dtypes as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").sqrt())?, "2.0 2.23606797749979 0.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.sqrt`, Polars `Expr.sqrt`, cudf/unary.hpp `SQRT`.
    sqrt Elementwise::Sqrt;
    /// The cube root, of negative numbers too; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(8.0).cbrt())?, "2.0 2.0 2.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.cbrt`, Polars `Expr.cbrt`, cudf/unary.hpp `CBRT`.
    cbrt Elementwise::Math(MathOp::Cbrt);
    /// The sine of an angle in radians; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).sin().round(3))?, "0.841 0.841 0.841");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.sin`, Polars `Expr.sin`.
    sin Elementwise::Math(MathOp::Sin);
    /// The cosine of an angle in radians; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).cos().round(3))?, "0.54 0.54 0.54");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.cos`, Polars `Expr.cos`.
    cos Elementwise::Math(MathOp::Cos);
    /// The tangent of an angle in radians; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).tan().round(3))?, "1.557 1.557 1.557");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.tan`, Polars `Expr.tan`.
    tan Elementwise::Math(MathOp::Tan);
    /// The angle in radians with this sine, −π/2 to π/2; NaN beyond −1 to 1; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).asin().round(3))?, "1.571 1.571 1.571");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.arcsin`, Polars `Expr.arcsin`.
    asin Elementwise::Math(MathOp::Asin);
    /// The angle in radians with this cosine, 0 to π; NaN beyond −1 to 1; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(-1.0).acos().round(3))?, "3.142 3.142 3.142");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.arccos`, Polars `Expr.arccos`.
    acos Elementwise::Math(MathOp::Acos);
    /// The angle in radians with this tangent, −π/2 to π/2; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).atan().round(3))?, "0.785 0.785 0.785");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.arctan`, Polars `Expr.arctan`.
    atan Elementwise::Math(MathOp::Atan);
    /// The hyperbolic sine; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).sinh().round(3))?, "1.175 1.175 1.175");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.sinh`, Polars `Expr.sinh`.
    sinh Elementwise::Math(MathOp::Sinh);
    /// The hyperbolic cosine; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).cosh().round(3))?, "1.543 1.543 1.543");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.cosh`, Polars `Expr.cosh`.
    cosh Elementwise::Math(MathOp::Cosh);
    /// The hyperbolic tangent; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).tanh().round(3))?, "0.762 0.762 0.762");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.tanh`, Polars `Expr.tanh`.
    tanh Elementwise::Math(MathOp::Tanh);
    /// The number with this hyperbolic sine; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(1.0).asinh().round(3))?, "0.881 0.881 0.881");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.arcsinh`, Polars `Expr.arcsinh`.
    asinh Elementwise::Math(MathOp::Asinh);
    /// The number with this hyperbolic cosine; NaN below 1; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(2.0).acosh().round(3))?, "1.317 1.317 1.317");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.arccosh`, Polars `Expr.arccosh`.
    acosh Elementwise::Math(MathOp::Acosh);
    /// The number with this hyperbolic tangent; NaN beyond −1 to 1; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(0.5).atanh().round(3))?, "0.549 0.549 0.549");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.arctanh`, Polars `Expr.arctanh`.
    atanh Elementwise::Math(MathOp::Atanh);
    /// The number rounded down to an integer, in the same dtype, but of decimals without digits after the point; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") / 2 - 1).floor())?, "1.0 1.0 -1.0");
    /// assert_eq!(show((col("y") / 2 - 1).ceil())?, "1.0 2.0 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.floor`, Polars `Expr.floor`, cudf/unary.hpp `FLOOR`.
    floor Elementwise::Floor;
    /// The number rounded up to an integer; as [`floor`](Expr::floor).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(-1.5).ceil())?, "-1.0 -1.0 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.ceil`, Polars `Expr.ceil`, cudf/unary.hpp `CEIL`.
    ceil Elementwise::Ceil;
    /// The number rounded towards zero to an integer; as [`floor`](Expr::floor).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(-1.5).trunc())?, "-1.0 -1.0 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.trunc`.
    trunc Elementwise::Trunc;
    /// −1 for a negative number, 1 for a positive one, 0 for a zero of either sign, NaN for NaN, in the same dtype, of decimals
    /// `decimal(1,0)`; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") - 4).sign())?, "0 1 -1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.sign`, Polars `Expr.sign`.
    sign Elementwise::Sign;
    /// Every bit of an integer inverted, or a boolean negated; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").bit_not())?, "-2 <NA> -4");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// `numpy.bitwise_not`, cudf/unary.hpp `BIT_INVERT`.
    bit_not Elementwise::BitNot;
    /// Whether a number is NaN; null for null. `bool`; false for integers and decimals.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") / col("y")).is_nan())?, "false false true");
    /// assert_eq!(show((col("x") / 0).is_infinite())?, "true <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.isnan`, Polars `Expr.is_nan`, cudf/unary.hpp `is_nan`.
    is_nan Elementwise::IsNan;
    /// Whether a number is neither NaN nor infinite; as [`is_nan`](Expr::is_nan), true for integers and decimals.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(-1.5).is_finite())?, "true true true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.isfinite`, Polars `Expr.is_finite`.
    is_finite Elementwise::IsFinite;
    /// Whether a number is infinite; as [`is_nan`](Expr::is_nan).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(-1.5).is_infinite())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.isinf`, Polars `Expr.is_infinite`.
    is_infinite Elementwise::IsInfinite;
}

impl Expr {
    /// The number to the power of another.
    ///
    /// Of two integers an integer of their common dtype, which wraps around; null where the exponent is negative, which is
    /// an error for a constant. Otherwise a float, with dtypes and accuracy as [`exp`](Expr::exp). Null where either is null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").pow(3))?, "1 <NA> 27");
    /// assert_eq!(show(col("y").pow(0.5))?, "2.0 2.23606797749979 0.0");
    /// assert_eq!(show(col("y").pow(col("x") - 2))?, "<NA> <NA> 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number, `InvalidArgument` for a negative constant as the exponent
    /// of integers.
    ///
    /// # Source
    /// pandas `Series.pow`, Polars `Expr.pow`, cudf/binaryop.hpp `POW`, `INT_POW`.
    pub fn pow(self, exponent: impl Into<Expr>) -> Expr {
        self.with(Elementwise::Power, exponent)
    }

    /// The logarithm to a base, as the quotient of natural logarithms; see [`ln`](Expr::ln).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(8.0).log(2.0))?, "3.0 3.0 3.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// Polars `Expr.log`.
    pub fn log(self, base: f64) -> Expr {
        Expr::elementwise(Elementwise::Log(base), vec![self])
    }

    /// The angle in radians, −π to π, of the point whose y this is and whose x is `x`; as [`exp`](Expr::exp).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, lit};
    /// assert_eq!(show(lit(0.0).atan2(col("x")))?, "0.0 <NA> 0.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.arctan2`, Polars `arctan2`.
    pub fn atan2(self, x: impl Into<Expr>) -> Expr {
        self.with(Elementwise::Math(MathOp::Atan2), x)
    }

    /// The number, or the nearer bound where it is beyond one: `lower` where it is less, `upper` where it is greater.
    ///
    /// Keeps dtype and label. Null and NaN stay; a null bound is none.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").clip(1, 4))?, "4 4 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for bounds that do not go together with the values.
    ///
    /// # Source
    /// pandas `Series.clip`, Polars `Expr.clip`, cudf/replace.hpp `clamp`.
    pub fn clip(self, lower: impl Into<Expr>, upper: impl Into<Expr>) -> Expr {
        self.clip_min(lower).clip_max(upper)
    }

    /// The number, or `lower` where it is less; see [`clip`](Expr::clip).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").clip_min(2))?, "4 5 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for bounds that do not go together with the values.
    ///
    /// # Source
    /// pandas `Series.clip(lower=…)`.
    pub fn clip_min(self, lower: impl Into<Expr>) -> Expr {
        let (label, lower) = (self.label(), lower.into());
        when(self.clone().lt(lower.clone())).then(lower).otherwise(self).alias(label)
    }

    /// The number, or `upper` where it is greater; see [`clip`](Expr::clip).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").clip_max(4))?, "4 4 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for bounds that do not go together with the values.
    ///
    /// # Source
    /// pandas `Series.clip(upper=…)`.
    pub fn clip_max(self, upper: impl Into<Expr>) -> Expr {
        let (label, upper) = (self.label(), upper.into());
        when(self.clone().gt(upper.clone())).then(upper).otherwise(self).alias(label)
    }

    /// The bits that both integers have; of booleans, Kleene's conjunction. Null where either is null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").bit_and(5))?, "4 5 0");
    /// assert_eq!(show(col("y").bit_or(1))?, "5 5 1");
    /// assert_eq!(show(col("y").bit_xor(col("x")))?, "5 <NA> 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// `numpy.bitwise_and`, Polars `Expr.and_`, cudf/binaryop.hpp `BITWISE_AND`.
    pub fn bit_and(self, other: impl Into<Expr>) -> Expr {
        self.with(Elementwise::BitAnd, other)
    }

    /// The bits that one integer has, or both; of booleans, Kleene's disjunction. As [`bit_and`](Expr::bit_and).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").bit_or(4))?, "5 <NA> 7");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    pub fn bit_or(self, other: impl Into<Expr>) -> Expr {
        self.with(Elementwise::BitOr, other)
    }

    /// The bits that one integer has and the other has not; of booleans, whether they differ. As
    /// [`bit_and`](Expr::bit_and).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").bit_xor(1))?, "0 <NA> 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    pub fn bit_xor(self, other: impl Into<Expr>) -> Expr {
        self.with(Elementwise::BitXor, other)
    }

    /// An integer with its bits moved to higher places, in the same dtype; bits beyond the width are lost. Null where either is
    /// null. A number of places that is negative, or the width or more, leaves 0.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").shift_left(2))?, "16 20 0");
    /// assert_eq!(show((col("y") - 8).shift_right(1))?, "-2 -2 -4");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no integer.
    ///
    /// # Source
    /// `numpy.left_shift`, cudf/binaryop.hpp `SHIFT_LEFT`.
    pub fn shift_left(self, places: impl Into<Expr>) -> Expr {
        self.with(Elementwise::ShiftLeft, places)
    }

    /// An integer with its bits moved to lower places, with copies of the sign in the highest; as
    /// [`shift_left`](Expr::shift_left), where −1 is left of negative numbers.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").shift_right(1))?, "2 2 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no integer.
    ///
    /// # Source
    /// `numpy.right_shift`, cudf/binaryop.hpp `SHIFT_RIGHT`.
    pub fn shift_right(self, places: impl Into<Expr>) -> Expr {
        self.with(Elementwise::ShiftRight, places)
    }

    /// Whether both are equal or both null: as [`eq`](Expr::eq), but never null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").eq_missing(col("x")))?, "true true true");
    /// assert_eq!(show(col("x").ne_missing(1))?, "false true true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for dtypes without a common dtype, such as strings and numbers.
    ///
    /// # Source
    /// Polars `Expr.eq_missing`, SQL `IS NOT DISTINCT FROM`, cudf/binaryop.hpp `NULL_EQUALS`.
    pub fn eq_missing(self, other: impl Into<Expr>) -> Expr {
        self.with(Elementwise::EqMissing, other)
    }

    /// Whether they differ, where null differs from every value and not from null: never null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").ne_missing(3))?, "true true false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for dtypes without a common dtype, such as strings and numbers.
    ///
    /// # Source
    /// Polars `Expr.ne_missing`, SQL `IS DISTINCT FROM`.
    pub fn ne_missing(self, other: impl Into<Expr>) -> Expr {
        self.with(Elementwise::NeMissing, other)
    }
}

/// The first that is not null, of several expressions that go together; null where all are. Called as the first one.
///
/// ```
/// # use columnade_ops::expression::{example::show, coalesce, col};
/// assert_eq!(show(coalesce([col("x"), col("y")]))?, "1 5 3");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: `DTypeMismatch` for dtypes that do not go together.
///
/// # Source
/// SQL `COALESCE`, Polars `coalesce`, pandas `combine_first`.
pub fn coalesce<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Expr {
    exprs.into_iter().map(Into::into).reduce(Expr::fill_null).unwrap_or_else(|| lit(Literal::Null))
}

/// The least value of several expressions in each row, which is not null and, if there is a number, not NaN; null where all
/// are null. Of numbers, booleans and times, in their common dtype, and of text, also of dictionaries, as strings. Called as the
/// first one.
///
/// ```
/// # use columnade_ops::expression::{example::show, col, max_horizontal, min_horizontal};
/// assert_eq!(show(min_horizontal([col("x"), col("y")]))?, "1 5 0");
/// assert_eq!(show(max_horizontal([col("x"), col("y")]))?, "4 5 3");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: `DTypeMismatch` for dtypes that do not go together, `UnsupportedDType` for nested values.
///
/// # Source
/// pandas `DataFrame.min(axis=1)`, Polars `min_horizontal`.
pub fn min_horizontal<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Expr {
    horizontal(Elementwise::Min, exprs.into_iter().map(Into::into).collect())
}

/// The greatest value of several expressions in each row; see [`min_horizontal`].
///
/// # Errors
/// The evaluating method: `DTypeMismatch` for dtypes that do not go together, `UnsupportedDType` for nested values.
///
/// # Source
/// pandas `DataFrame.max(axis=1)`, Polars `max_horizontal`.
pub fn max_horizontal<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Expr {
    horizontal(Elementwise::Max, exprs.into_iter().map(Into::into).collect())
}

fn horizontal(function: Elementwise, exprs: Vec<Expr>) -> Expr {
    if exprs.is_empty() { lit(Literal::Null) } else { Expr::elementwise(function, exprs) }
}

/// The hash of the values of each row by a published function: `uint32` of
/// [`HashFunction::Murmur3`], `uint64` of [`HashFunction::XxHash64`]; never null.
///
/// The first value's bytes are hashed with the seed, those of each further one with the hash so far as the seed; a null leaves
/// it. The bytes of a number, a date or a time are its little-endian storage, where zeros of both signs are equal, and so are
/// NaNs; those of a boolean are one byte; those of a string its UTF-8, of a dictionary those of its value.
///
/// ```
/// # use columnade_ops::expression::{example::show, col, hash_rows, HashFunction};
/// let hash = hash_rows([col("word")], HashFunction::Murmur3(0));
/// assert_eq!(show(hash)?, "1955911164 0 3445939484");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: `InvalidArgument` without expressions, `UnsupportedDType` for nested dtypes.
///
/// # Device
/// One launch an expression; the same hashes on every device.
///
/// # Source
/// cuDF `hash_values`, cudf/hashing.hpp, Spark `hash` and `xxhash64`, which hash numbers so.
pub fn hash_rows<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>, function: HashFunction) -> Expr {
    Expr::elementwise(Elementwise::Hash(function), exprs.into_iter().map(Into::into).collect())
}
