//! Shared by the three surfaces of definitions: the registry, the catalog and the short paths parse requests, call this
//! module and build the responses.

mod etag;
mod expected;
mod reader;
mod requests;
mod view;
mod writer;

pub(super) use etag::{WithEtag, with_etag};
pub(super) use reader::DefinitionReader;
pub(super) use requests::{
    CatalogFormulaRequest, CatalogLifecycleRequest, CatalogRollbackRequest,
    CreateCatalogMetricRequest, CreateDefinitionRequest, ExampleRequest, FormulaRequest,
    LifecycleRequest, RollbackRequest, UpdateCatalogMetricRequest, UpdateDefinitionRequest,
    VersionReference, words,
};
pub(super) use view::{CatalogMetricView, ExampleOutcomeView, ExampleView, MetricView};
pub(super) use writer::DefinitionWriter;

use crate::registry::lineage::is_visible;
use crate::registry::metric::Metric;
use crate::{MetricError, RegistrySnapshot};

/// Returns the metric with an id or key if the viewer may see it, optionally including removed ones.
fn find_visible<'s>(
    snapshot: &'s RegistrySnapshot,
    id_or_key: &str,
    viewer: &str,
    with_removed: bool,
) -> Result<&'s Metric, MetricError> {
    let metric = if with_removed {
        snapshot.metric_or_removed(id_or_key)
    } else {
        snapshot.metric(id_or_key)
    };
    metric
        .filter(|metric| is_visible(metric, viewer))
        .ok_or_else(|| MetricError::NotFound(id_or_key.to_owned()))
}
