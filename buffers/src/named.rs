//! Enums whose variants have names.

/// Declares an enum, the list `ALL` of its variants, and `Display`, which prints their names.
macro_rules! named_enum {
    ($(#[$about:meta])* pub enum $enum:ident, $(#[$list:meta])* ALL {
        $($(#[$doc:meta])* $variant:ident = $name:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $enum {
            $($(#[$doc])* $variant,)*
        }

        impl $enum {
            $(#[$list])*
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self {
                    $(Self::$variant => $name,)*
                })
            }
        }
    };
}

pub(crate) use named_enum;
