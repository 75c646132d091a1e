//! The new container as the tools that create it take it.

use serde_json::{Value, json};

use super::{account, database, new_name, quote};
use crate::analysis::plan::container::NewContainer;
use crate::analysis::plan::facts::ThroughputForm;
use crate::analysis::plan::routes::RouteKind;
use crate::model::physical::TimeToLive;
use crate::model::query_text::{coded, shell_word};
use crate::model::template::filled;
use crate::model::units::whole_u64;

const LIFETIME_UNKNOWN: &str =
    "time to live is not known: set defaultTtl as today's container has it";
const UNIQUE_UNKNOWN: &str = "unique keys are not known: they cannot be added later";
const INDEXING: &str = "the indexing policy is not known here: take over today's";

/// What a tool writes otherwise than others.
pub(super) struct Tool {
    template: &'static str,
    literal: fn(&str) -> String,
    /// Before what is to be filled in by hand.
    note: &'static str,
    /// Between two paths.
    between: &'static str,
    /// RU/s that are not known.
    no_ru: &'static str,
    /// Before the RU/s as the default of a parameter.
    default: &'static str,
}

pub(super) const BICEP: Tool = Tool {
    template: include_str!("../../../../assets/plan/bicep.txt"),
    literal: quote::bicep,
    note: "// ",
    between: "\n          ",
    no_ru: "",
    default: " = ",
};

pub(super) const AZ: Tool = Tool {
    template: include_str!("../../../../assets/plan/az.txt"),
    literal: shell_word,
    note: "# ",
    no_ru: "<RU/s>",
    ..BICEP
};

pub(super) const TERRAFORM: Tool = Tool {
    template: include_str!("../../../../assets/plan/terraform.txt"),
    literal: quote::terraform,
    between: ", ",
    no_ru: "var.ru",
    ..AZ
};

pub(super) const PORTAL: Tool = Tool {
    template: include_str!("../../../../assets/plan/portal.txt"),
    literal: quote::comment,
    note: "  Note: ",
    between: "\n  Add hierarchical partition key: ",
    no_ru: "as today",
    ..BICEP
};

const ARM: Tool = Tool {
    template: include_str!("../../../../assets/plan/arm.txt"),
    literal: |text| Value::from(quote::arm(text)).to_string(),
    between: ", ",
    default: ", \"defaultValue\": ",
    ..BICEP
};

/// Seconds of the default; -1 where only documents have one.
fn lifetime(container: &NewContainer) -> Option<i64> {
    match container.lifetime? {
        TimeToLive::Off => None,
        TimeToLive::On { default_seconds } => {
            let seconds = default_seconds.and_then(|s| i64::try_from(s).ok());
            Some(seconds.unwrap_or(-1))
        }
    }
}

/// What is to be filled in by hand.
fn open_points(container: &NewContainer) -> Vec<String> {
    let mut open = vec![INDEXING.to_owned()];
    open.extend((container.lifetime.is_none()).then(|| LIFETIME_UNKNOWN.to_owned()));
    open.extend((container.unique_keys.is_none()).then(|| UNIQUE_UNKNOWN.to_owned()));
    if let Some(ru) = container.raised_ru {
        let ru = whole_u64(ru);
        open.push(format!("raise to {ru} RU/s once all documents are in"));
    }
    let written = container.properties().into_iter().flatten();
    let written: Vec<String> = written.map(ToString::to_string).collect();
    if !written.is_empty() {
        let written = quote::comment(&written.join(", "));
        open.push(format!("the application writes {written}: see the key builder"));
    }
    open
}

fn form(container: &NewContainer) -> ThroughputForm {
    container.throughput.unwrap_or(ThroughputForm::Manual)
}

/// Whether a section of a template is for this container and this route to it.
fn is_needed(section: &str, container: &NewContainer, route: Option<RouteKind>) -> bool {
    let form = form(container);
    match section {
        "manual" => form == ThroughputForm::Manual,
        "autoscale" => form == ThroughputForm::Autoscale,
        "shared" => form == ThroughputForm::Shared,
        "serverless" => form == ThroughputForm::Serverless,
        "lifetime" => lifetime(container).is_some(),
        "unique" => container.unique_keys == Some(true),
        "one path" => container.paths.len() == 1,
        "levels" => container.paths.len() > 1,
        "copy" => matches!(route, Some(RouteKind::CopyOffline | RouteKind::CopyOnline)),
        "online" => route == Some(RouteKind::CopyOnline),
        "raised" => {
            let is_own = matches!(form, ThroughputForm::Manual | ThroughputForm::Autoscale);
            is_own && container.raised_ru.is_some()
        }
        _ => true,
    }
}

impl Tool {
    pub(super) fn text(&self, container: &NewContainer, route: Option<RouteKind>) -> String {
        let literal = self.literal;
        // As they are sold, and the option of the command.
        let (step, option) = match form(container) {
            ThroughputForm::Manual => (100.0, " --throughput "),
            ThroughputForm::Autoscale => (1_000.0, " --max-throughput "),
            ThroughputForm::Shared | ThroughputForm::Serverless => (1.0, ""),
        };
        let ru = container.created_ru.map(|ru| (ru / step).ceil() * step);
        let ru = ru.map(|ru| whole_u64(ru).to_string());
        let default = ru.as_ref().map(|ru| format!("{}{ru}", self.default));
        let ru = ru.unwrap_or(self.no_ru.to_owned());
        let with_option = |ru: &str| match option {
            "" => String::new(),
            option => format!("{option}{ru}"),
        };
        let raised = container.raised_ru.map(|ru| whole_u64(ru).to_string());
        let lifetime = lifetime(container).map(|seconds| seconds.to_string());
        let side = |name: &str| {
            let database = format!("database={}", database(container));
            [database, format!("container={name}")].map(|word| literal(&word))
        };
        let today = container.container.as_deref().unwrap_or("<container>");
        let new_name = new_name(container);
        let group = container.resource_group.as_deref();
        let notes = open_points(container).into_iter();
        let notes = notes.map(|point| format!("{}{point}", self.note));
        let paths = container.paths.iter().map(|path| literal(&path.to_string()));
        let ttl = lifetime.as_ref().map(|s| format!(" --ttl {s}"));
        let is_online = route == Some(RouteKind::CopyOnline);
        let holes = [
            ("key", quote::comment(&container.candidate.to_string())),
            ("notes", notes.collect::<Vec<_>>().join("\n")),
            ("account", literal(account(container))),
            ("group", literal(group.unwrap_or("<resource-group>"))),
            ("database", literal(database(container))),
            ("container", literal(&new_name)),
            ("paths", paths.collect::<Vec<_>>().join(self.between)),
            ("kind", container.kind().to_owned()),
            ("throughput", with_option(&ru)),
            ("ru", ru),
            ("default", default.unwrap_or_default()),
            ("raised", with_option(raised.as_deref().unwrap_or_default())),
            ("lifetime", lifetime.clone().unwrap_or_default()),
            ("ttl", ttl.unwrap_or_default()),
            ("from", side(today).join(" ")),
            ("to", side(&new_name).join(" ")),
            ("mode", if is_online { "Online" } else { "Offline" }.to_owned()),
        ];
        let is_needed = |section: &str| is_needed(section, container, route);
        filled(self.template, is_needed, &holes)
    }
}

pub(super) fn arm(container: &NewContainer) -> String {
    let template = serde_json::from_str(&ARM.text(container, None));
    let mut template: Value = template.unwrap_or_default();
    if let Some(open) = template.pointer_mut("/metadata/open") {
        *open = json!(open_points(container));
    }
    coded(&format!("{template:#}\n"))
}
