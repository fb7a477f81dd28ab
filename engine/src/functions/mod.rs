//! Every function of the language, one file each: signature, documentation, examples that run, code.
//!
//! A function is a row of data ([`FunctionSpec`]) that the checker, the evaluator, the manual and
//! `docs/FUNCTIONS.md` all read. To add one, write its file and add it to [`ALL`].

mod spec;

pub use spec::{
    Behaviour, DefaultValue, Environment, Example, Family, FunctionSpec, Misfit, Nulls, Parameter,
    ParameterKind, Presence, Scalar, Special, WindowForm,
};

/// Every function, by family and name.
pub const ALL: &[&FunctionSpec] = &[];

/// The function of that name or alias, without regard to case.
pub fn find(name: &str) -> Option<&'static FunctionSpec> {
    ALL.iter().copied().find(|spec| {
        spec.name.eq_ignore_ascii_case(name)
            || spec.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    })
}
