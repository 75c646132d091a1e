//! Enumerations whose variants have a word each.

/// Makes an enumeration of a table of its variants and their words. After it stand the method that gives the word and,
/// where somebody goes through all variants, `ALL`.
macro_rules! words {
    ($(#[$of:meta])* $see:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $text:literal,)*
    } $(#[$about:meta])* fn $word:ident) => {
        $(#[$of])*
        $see enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            $(#[$about])*
            $see const fn $word(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
    ($(#[$of:meta])* $see:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $text:literal,)*
    } $(#[$about:meta])* fn $word:ident, ALL) => {
        words! {
            $(#[$of])*
            $see enum $name {
                $($(#[$doc])* $variant = $text,)*
            }
            $(#[$about])*
            fn $word
        }

        impl $name {
            $see const ALL: [Self; [$($text),*].len()] = [$(Self::$variant),*];
        }
    };
}
