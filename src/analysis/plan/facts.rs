//! What inputs show of the container and its account that a plan depends on.

use crate::model::time::DAY_S;
use std::sync::Arc;

use crate::model::account::Setting;
use crate::model::capture::Capture;
use crate::model::client::{Client, ClientSum};
use crate::model::load::Load;
use crate::model::names::ContainerName;
use crate::model::physical::Throughput;
use crate::model::units::{real, real_seconds};

use super::super::logged_workload::OperationKind;
use super::super::mask::Masker;
use super::super::migration::Facts;
use super::super::provisioning::RuOwner;
use super::super::routing::workload::RequestAccess;
use super::super::trial::routes::Routed;
use super::super::trial::{Settings, Trial, rate_factor};

/// How RU/s are provisioned for a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThroughputForm {
    Manual,
    Autoscale,
    /// Those of its database.
    Shared,
    Serverless,
}

impl ThroughputForm {
    fn of(owner: RuOwner) -> Option<Self> {
        Some(match owner {
            RuOwner::Own(Throughput::Manual { .. }) => Self::Manual,
            RuOwner::Own(Throughput::Autoscale { .. }) => Self::Autoscale,
            RuOwner::Shared(_) => Self::Shared,
            RuOwner::Serverless => Self::Serverless,
            RuOwner::NoneListed | RuOwner::NotReported => return None,
        })
    }
}

/// Of one container; what no input shows is None or empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlanFacts {
    pub name: ContainerName,
    pub resource_group: Option<Arc<str>>,
    pub throughput: Option<ThroughputForm>,
    /// What the way itself depends on.
    pub way: Facts,
    pub other_api: Option<bool>,
    pub periodic_backup: Option<bool>,
    /// Whether requests of the log use resource tokens.
    pub resource_tokens: Option<bool>,
    /// Programs that send requests, busiest first.
    pub clients: Vec<(Client, ClientSum)>,
    /// Days that the request log covers.
    pub logged_days: Option<f64>,
    /// Successful writes a second over all of the request log.
    pub writes_per_second: Option<f64>,
}

impl PlanFacts {
    pub fn of(capture: &Capture, number: u32) -> Self {
        let Some(container) = capture.container(number) else {
            return Self::default();
        };
        let account = capture.account_of(&container.name);
        let is = |setting| account.and_then(|account| account.is(setting));
        let clients = capture.load.clients_of(number);
        let signed_in = clients.iter().any(|(_, sum)| sum.signed_in > 0);
        let by_token = clients.iter().any(|(_, sum)| sum.by_resource_token > 0);
        let logged_s = logged_seconds(&capture.load, number);
        Self {
            name: container.name.clone(),
            resource_group: container.resource_group.clone(),
            throughput: match is(Setting::Serverless) {
                Some(true) => Some(ThroughputForm::Serverless),
                _ => ThroughputForm::of(RuOwner::of(container, account)),
            },
            way: Facts {
                merge_enabled: is(Setting::MergeEnabled),
                local_auth_disabled: is(Setting::NoKeys),
                lifetime: container.lifetime,
                unique_keys: container.unique_keys,
            },
            other_api: is(Setting::OtherApi),
            periodic_backup: is(Setting::PeriodicBackup),
            resource_tokens: signed_in.then_some(by_token),
            clients: clients.into_iter().map(|(client, sum)| (client.clone(), sum)).collect(),
            logged_days: logged_s.map(|seconds| seconds / DAY_S),
            writes_per_second: logged_s.and_then(|s| Some(writes(&capture.load, number)? / s)),
        }
    }

    /// Invented names; what applications call themselves is left out.
    pub fn mask(&mut self, masker: &Masker) {
        self.name = masker.container(&self.name);
        self.resource_group = None;
        for (client, _) in &mut self.clients {
            client.hide_name();
        }
    }
}

/// From the first request to the end of the last one's cell.
fn logged_seconds(load: &Load, container: u32) -> Option<f64> {
    let cells = load.requests.keys().filter(|c| c.container == container);
    let spans = cells.filter_map(|c| {
        let width = c.span_s.max(load.requests_width_s);
        Some((c.second?, c.second? + i64::from(width)))
    });
    let (from, to) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    (to > from).then(|| real_seconds(to - from))
}

/// None where the log names no operation.
fn writes(load: &Load, container: u32) -> Option<f64> {
    let of_container = load.requests.iter();
    let mut of_container = of_container
        .filter(|(cell, _)| cell.container == container && (200..300).contains(&cell.status))
        .map(|(cell, sum)| (load.names.text(cell.operation), real(sum.requests)))
        .filter(|(operation, _)| !operation.is_empty())
        .peekable();
    of_container.peek()?;
    // What a procedure does is not logged; most write.
    let is_write = |operation: &str| {
        let kind = OperationKind::of(operation);
        kind.is_write() || kind == OperationKind::Procedure
    };
    let writes = of_container.filter(|(operation, _)| is_write(operation));
    Some(writes.map(|(_, requests)| requests).sum())
}

/// Where writes a second are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteSource {
    Logs,
    Queries,
    /// New documents alone: changes of old ones come on top.
    Growth,
}

/// What is written while documents are copied.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WriteRate {
    pub per_second: f64,
    pub source: WriteSource,
}

impl WriteRate {
    /// As logs count, else as the rates of the workload come to, else as the container grows.
    pub fn of(
        facts: &PlanFacts,
        trial: &Trial,
        routed: &[Routed],
        settings: &Settings,
    ) -> Option<Self> {
        let of_queries = || {
            let writes = || routed.iter().filter(|r| r.access == RequestAccess::Write);
            let sum: f64 = writes().map(|r| r.per_second).sum::<Option<f64>>()?;
            let load = settings.load_ru_per_second;
            let factor = load.and_then(|load| rate_factor(load, routed, settings));
            (writes().count() > 0).then(|| sum * factor.unwrap_or(1.0))
        };
        let of_growth = || {
            let mean = trial.whole.bytes / trial.whole.documents.max(1.0);
            let grown = trial.ahead.all_bytes_per_day?;
            (mean > 0.0).then(|| grown / mean / DAY_S)
        };
        let logged = facts.writes_per_second.map(|w| (w, WriteSource::Logs));
        let (per_second, source) = logged
            .or_else(|| Some((of_queries()?, WriteSource::Queries)))
            .or_else(|| Some((of_growth()?, WriteSource::Growth)))?;
        Some(Self { per_second, source })
    }
}
