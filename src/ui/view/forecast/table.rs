//! The rows of the forecast: their columns, their order, and which of them a filter lets through.

use ratatui::text::Span;

use crate::analysis::ceiling::Mark;
use crate::analysis::forecast::{Forecast, NextLimit};
use crate::analysis::growth::LimitDate;
use crate::analysis::rows::name_order;
use crate::model::units::percent_text;
use crate::model::visible::display_width;
use crate::report::forecast as words;
use crate::report::limit_date_text;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::limit_date;
use crate::ui::kit::list::{Orders, RowRole};
use crate::ui::kit::sign;
use crate::ui::kit::table::{Align, ColumnSpec, TableColumn, fit};
use crate::ui::view::overview::{Cell, Painted, known};

/// The cursor, the mark and a blank behind each.
const LEAD: u16 = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Column {
    When,
    What,
    Container,
    Bar,
    Percent,
    Limit,
    Now,
    Growth,
    Then,
}

const COLUMNS: [ColumnSpec<Column>; 9] = [
    ColumnSpec::new(Column::When, "when", 10, limit_date::COLUMNS, 0, Align::Left),
    ColumnSpec::new(Column::What, "what", 18, 44, 1, Align::Left),
    ColumnSpec::new(Column::Container, "container", 16, 44, 4, Align::Left),
    ColumnSpec::new(Column::Bar, "of limit", 8, 20, 7, Align::Left),
    ColumnSpec::new(Column::Percent, "share", 6, 6, 2, Align::Right),
    ColumnSpec::new(Column::Limit, "limit", 11, 11, 3, Align::Right),
    ColumnSpec::new(Column::Now, "now", 12, 12, 5, Align::Right),
    ColumnSpec::new(Column::Growth, "a day", 10, 10, 6, Align::Right),
    ColumnSpec::new(Column::Then, "then", 22, 46, 8, Align::Left),
];

/// The columns that fit; what is named has the room that the longest name takes.
pub(super) fn placed(
    forecast: &Forecast,
    place: &dyn Fn(&NextLimit) -> String,
    width: u16,
) -> Vec<TableColumn<Column>> {
    let longest = |text: &dyn Fn(&NextLimit) -> String| {
        let widths = forecast.limits.iter().take(200).map(|l| display_width(&text(l)));
        u16::try_from(widths.max().unwrap_or(0)).unwrap_or(u16::MAX)
    };
    let mut names = forecast.limits.iter().map(|limit| limit.container);
    let first = names.next();
    let is_one = names.all(|container| Some(container) == first);
    let what = longest(&words::subject);
    let container = longest(place);
    let specs = COLUMNS.map(|column| match column.id {
        Column::What => ColumnSpec { most: what.clamp(column.least, column.most), ..column },
        Column::Container => {
            ColumnSpec { most: container.clamp(column.least, column.most), ..column }
        }
        _ => column,
    });
    let specs = specs.into_iter();
    // Of one container the title says which.
    let specs: Vec<_> = specs.filter(|c| !is_one || c.id != Column::Container).collect();
    fit(&specs, LEAD, width)
}

/// What limits are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum LimitOrder {
    #[default]
    When,
    What,
    Container,
    Share,
    Growth,
}

pub(super) const ORDERS: Orders<LimitOrder> = Orders {
    all: &[
        LimitOrder::When,
        LimitOrder::What,
        LimitOrder::Container,
        LimitOrder::Share,
        LimitOrder::Growth,
    ],
    names: &["when", "what", "container", "share", "growth"],
};

impl LimitOrder {
    pub fn of(column: Column) -> Option<Self> {
        Some(match column {
            Column::When => Self::When,
            Column::What => Self::What,
            Column::Container => Self::Container,
            Column::Bar | Column::Percent => Self::Share,
            Column::Growth => Self::Growth,
            Column::Limit | Column::Now | Column::Then => return None,
        })
    }

    /// The number has the mark where there is a bar, too.
    pub fn column(self) -> Column {
        let found = COLUMNS.iter().rfind(|column| Self::of(column.id) == Some(self));
        found.map_or(Column::When, |column| column.id)
    }
}

/// Places among the limits, which come by date.
pub(super) fn order(limits: &[NextLimit], filter: &str, by: LimitOrder) -> Vec<usize> {
    let wanted = filter.to_lowercase();
    let has = |limit: &NextLimit| {
        let names = || [words::subject(limit), words::place(&limit.name)].join(" ");
        wanted.is_empty() || names().to_lowercase().contains(&wanted)
    };
    let mut found: Vec<(usize, &NextLimit)> = limits.iter().enumerate().collect();
    found.retain(|(_, limit)| has(limit));
    found.sort_by(|(_, a), (_, b)| match by {
        LimitOrder::When => std::cmp::Ordering::Equal,
        LimitOrder::What => a.subject.cmp(&b.subject),
        LimitOrder::Container => name_order(&a.name, &b.name),
        LimitOrder::Share => b.share().total_cmp(&a.share()),
        LimitOrder::Growth => {
            let rate = |limit: &NextLimit| limit.growth_a_day().unwrap_or(f64::MIN);
            rate(b).total_cmp(&rate(a))
        }
    });
    found.into_iter().map(|(at, _)| at).collect()
}

pub(super) fn painted(
    forecast: &Forecast,
    (limit, place): (&NextLimit, String),
    placed: &[TableColumn<Column>],
    cx: &Cx,
    role: RowRole,
) -> Painted<Column> {
    let theme = &cx.theme;
    let mark = Mark::of(limit.share());
    let cell = |at: &TableColumn<Column>| match at.id {
        Column::When => when(forecast, limit, at.width, cx),
        Column::What => Cell::Words(words::subject(limit), theme.accent),
        Column::Container => Cell::Words(place.clone(), theme.text),
        Column::Bar => Cell::Bar(limit.share()),
        Column::Percent => Cell::Words(percent_text(limit.share()), theme.mark(mark)),
        Column::Limit => Cell::Words(words::limit_text(forecast, limit), theme.dim),
        Column::Now => Cell::Words(words::value_text(limit), theme.text),
        Column::Growth => {
            let a_day = limit.growth_a_day().map(words::growth);
            known(a_day.unwrap_or_else(|| "–".to_owned()), theme)
        }
        Column::Then => Cell::Words(cx.veil.over(&limit.consequence()).to_owned(), theme.dim),
    };
    Painted {
        sign: if limit.date == LimitDate::Over {
            sign::mark_sign(Mark::Full, theme)
        } else {
            Span::raw(" ")
        },
        cells: placed.iter().map(|at| (*at, cell(at))).collect(),
        role,
    }
}

fn when(forecast: &Forecast, limit: &NextLimit, width: u16, cx: &Cx) -> Cell {
    let theme = &cx.theme;
    match limit.date {
        LimitDate::Over => Cell::Words("now".to_owned(), theme.full),
        LimitDate::Unknown => Cell::Words("no date".to_owned(), theme.dim),
        LimitDate::Never => Cell::Words("never".to_owned(), theme.dim),
        date @ LimitDate::Date { .. } => {
            let text = limit_date_text(&date, forecast.as_of);
            let text = limit_date::fitting(&text, width.into(), theme.glyphs);
            Cell::Words(text.to_owned(), theme.text)
        }
    }
}
