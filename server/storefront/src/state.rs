//! The state of the routes for visitors.

use prometheus_client::metrics::counter::Counter;
use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::admission::Admission;
use crate::sms::SmsGateway;
use crate::visits::Queue;

/// The shared state, and the visitors' state in memory. Cheap to clone.
#[derive(Debug, Clone)]
pub struct VisitorState {
    /// The state that all routes share.
    pub shared: Shared,
    /// How often each visitor may write.
    pub(crate) admission: Admission,
    /// The events waiting to be written.
    pub(crate) visits: Queue,
    /// The provider of text messages.
    pub sms: SmsGateway,
}

impl VisitorState {
    /// Creates the state from the shared one.
    pub fn new(shared: Shared) -> Self {
        let dropped = Counter::default();
        shared.metrics.register(|registry| {
            let help = "Events of visitors for which there was no room";
            registry.register("tracking_events_dropped", help, dropped.clone());
        });
        let visits = Queue::new(shared.db.clone(), dropped);
        let sms = SmsGateway::of(&shared.settings.visitors);
        Self { shared, admission: Admission::default(), visits, sms }
    }
}

parts!(VisitorState with shared:);
