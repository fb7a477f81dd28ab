//! Shared by the three surfaces of definitions: the registry, the catalog and the short paths parse requests, call this
//! module and build the responses.

mod expected;
mod reader;
mod requests;
mod view;
mod writer;

pub(super) use reader::DefinitionReader;
pub(super) use requests::{
    CatalogFormulaRequest, CatalogLifecycleRequest, CatalogRollbackRequest,
    CreateCatalogMetricRequest, CreateDefinitionRequest, ExampleRequest, FormulaRequest,
    LifecycleRequest, RollbackRequest, UpdateCatalogMetricRequest, UpdateDefinitionRequest,
    VersionReference, words,
};
pub(super) use view::{
    CatalogMetricView, ExampleOutcomeView, ExampleView, MetricView, WithEtag, with_etag,
};
pub(super) use writer::DefinitionWriter;
