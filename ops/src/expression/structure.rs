//! Expressions over structs.

use super::function::call;
use super::{Expr, Function, Node};
use std::fmt;

/// A function of structs: see [`StructExpr`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StructFunction {
    /// The field of this name.
    Field(String),
    /// The same fields with other names, in order.
    RenameFields(Vec<String>),
    /// A struct of the arguments, whose names these are.
    Build(Vec<String>),
}

impl StructFunction {
    /// The name of the method that builds it.
    pub const fn name(&self) -> &'static str {
        match self {
            StructFunction::Field(_) => "field",
            StructFunction::RenameFields(_) => "rename_fields",
            StructFunction::Build(_) => "struct_of",
        }
    }

    pub(super) fn fmt(&self, arguments: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = match self {
            StructFunction::Build(_) => return call(f, self.name(), arguments, &[]),
            StructFunction::Field(name) => vec![format!("{name:?}")],
            StructFunction::RenameFields(names) => names.iter().map(|name| format!("{name:?}")).collect(),
        };
        for argument in arguments {
            write!(f, "{argument}.struct_().")?;
        }
        call(f, self.name(), &[], &names)
    }
}

/// What expressions compute from structs: see [`Expr::struct_`].
///
/// # Source
/// Polars `Expr.struct`, pandas `Series.struct`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before a method of the namespace is called"]
pub struct StructExpr(Expr);

impl Expr {
    /// The operations on structs: `col("point").struct_().field("x")`.
    pub fn struct_(self) -> StructExpr {
        StructExpr(self)
    }
}

/// A struct of the values of each row, whose fields are called as the expressions are; never null itself.
///
/// ```
/// # use columnade_ops::expression::{example::show, col, struct_of};
/// let both = struct_of([col("x"), (col("y") * 2).alias("z")]);
/// assert_eq!(show(both.clone().struct_().field("z"))?, "8 10 0");
/// assert_eq!(show(both.is_null())?, "false false false");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: `InvalidArgument` without expressions; `DuplicateLabel` for two fields of one name.
///
/// # Source
/// Polars `struct`.
pub fn struct_of(fields: impl IntoIterator<Item = Expr>) -> Expr {
    let fields: Vec<Expr> = fields.into_iter().collect();
    let names = fields.iter().map(|field| field.label().to_string()).collect();
    Expr::new(Node::Function(Function::Struct(StructFunction::Build(names)), fields))
}

impl StructExpr {
    /// The values of one field, which name the result; null also where the struct is null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, struct_of};
    /// assert_eq!(show(struct_of([col("x"), col("y")]).struct_().field("y"))?, "4 5 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `ColumnNotFound` for an unknown field, `UnsupportedDType` for other dtypes than structs.
    ///
    /// # Source
    /// Polars `struct.field`, pandas `Series.struct.field`.
    pub fn field(self, name: impl Into<String>) -> Expr {
        Expr::new(Node::Function(Function::Struct(StructFunction::Field(name.into())), vec![self.0]))
    }

    /// The same structs with other names of their fields, as many as there are, in order.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, struct_of};
    /// let renamed = struct_of([col("x"), col("y")]).struct_().rename_fields(["a", "b"]);
    /// assert_eq!(show(renamed.struct_().field("b"))?, "4 5 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for another number of names; `DuplicateLabel`; `UnsupportedDType` for other
    /// dtypes than structs.
    ///
    /// # Source
    /// Polars `struct.rename_fields`.
    pub fn rename_fields<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Expr {
        let names = names.into_iter().map(Into::into).collect();
        Expr::new(Node::Function(Function::Struct(StructFunction::RenameFields(names)), vec![self.0]))
    }
}
