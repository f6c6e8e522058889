//! Names for the numbers of a kernel, so that generated code says what each is.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// Constants of a block: `const WIDTH: usize = 32;` for each as tokens, [`names`](Self::names) for the call of the kernel.
pub(super) struct Constants(pub(super) Vec<Constant>);

pub(super) struct Constant {
    pub(super) name: &'static str,
    pub(super) type_: &'static str,
    /// in Rust, without a suffix
    pub(super) value: String,
}

/// Constants, in the order of a kernel's parameters: `constants![WIDTH: usize = net.accumulator.width, ONE: i16 = one]`.
macro_rules! constants {
    ($($name:ident: $type:ident = $value:expr),* $(,)?) => {
        $crate::emit::constants::Constants(vec![$($crate::emit::constants::Constant {
            name: stringify!($name),
            type_: stringify!($type),
            value: ::std::string::ToString::to_string(&$value),
        }),*])
    };
}

impl Constants {
    /// `WIDTH, ONE`
    pub(super) fn names(&self) -> TokenStream {
        let names = self.0.iter().map(Constant::ident);
        mixed!(#(#names),*)
    }

    pub(super) fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }
}

impl Constant {
    fn ident(&self) -> Ident {
        Ident::new(self.name, Span::mixed_site())
    }
}

impl ToTokens for Constants {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for constant in &self.0 {
            let name = constant.ident();
            let type_ = Ident::new(constant.type_, Span::mixed_site());
            let value: TokenStream = constant.value.parse().unwrap_or_else(|_| quote!());
            tokens.extend(mixed!(const #name: ::core::primitive::#type_ = #value;));
        }
    }
}
