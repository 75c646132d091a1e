//! One screen of a scenario without a terminal, drawn by the same code: for documentation.

use super::{Cli, Demo, MeasureArgument, PictureFormat, ReadArguments, output, plain, screens};
use crate::error::{Error, usage};
use crate::model::visible::visible;
use crate::report;
use crate::tui::{Screen, Surroundings};
use crate::ui::kit::input::Size;
use crate::ui::kit::picture;
use crate::ui::view::{AboutView, VIEWS};

/// Prints the view of that name; as linear text, where that is wanted, all there is.
pub fn print(cli: &Cli, c: &Demo, view: &str) -> Result<u8, Error> {
    let Some(about) = VIEWS.iter().find(|about| about.name == view) else {
        let known = VIEWS.map(|about| about.name);
        return Err(Error::unknown("there is no view", view, &known, |names| {
            format!("the views are {names}")
        }));
    };
    let size = size(&c.drawn.size)?;
    let name = c.name.as_deref();
    let here = Surroundings::read();
    if c.format == PictureFormat::Text && plain::is_wanted(cli, &here) {
        return screens::demo(cli, name);
    }
    let origin = name.map(screens::scenario_named).transpose()?;
    let (reading, measure) = (ReadArguments::default(), MeasureArgument::default());
    let shown = shown_by(c.format, here);
    let start = screens::begin(cli, origin, &reading, &measure, &shown)?;
    let mut screen = Screen::open(start, size);
    screen.perform(about.action);
    screen.type_keys(c.drawn.typed.as_deref());
    let buffer = screen.frame();
    let svg = || picture::svg(&buffer, &title(about, c), screen.app.cx.theme.paper);
    let drawn = match c.format {
        PictureFormat::Text => picture::plain(&buffer),
        PictureFormat::Svg => svg(),
        PictureFormat::Html => {
            let area = buffer.area;
            let summary = format!("{} columns, {} rows", area.width, area.height);
            report::of_picture(&title(about, c), &summary, &svg())
        }
    };
    output::print(drawn)
}

/// For whoever does not see the picture.
fn title(about: &AboutView, c: &Demo) -> String {
    match &c.name {
        Some(name) => format!("Cosmoscope: {} of the scenario {name}", about.name),
        None => format!("Cosmoscope: {}", about.name),
    }
}

/// A terminal that shows everything, wherever the picture is made; a text has no colours, so signs tell what they would.
pub fn everything(format: PictureFormat) -> Surroundings {
    let no_color = match format {
        PictureFormat::Text => Some("1".to_owned()),
        PictureFormat::Svg | PictureFormat::Html => None,
    };
    Surroundings {
        term: Some("xterm-direct".to_owned()),
        lang: Some("C.UTF-8".to_owned()),
        no_color,
        ..Surroundings::default()
    }
}

/// A text has the signs that the screens have in the same locale, where one is set.
fn shown_by(format: PictureFormat, here: Surroundings) -> Surroundings {
    let all = everything(format);
    if format != PictureFormat::Text {
        return all;
    }
    Surroundings {
        lc_all: here.lc_all,
        lc_ctype: here.lc_ctype,
        lang: here.lang.or(all.lang),
        ..all
    }
}

pub fn size(text: &str) -> Result<Size, Error> {
    let parsed = text
        .split_once('x')
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let (width, height) = parsed.ok_or_else(|| {
        usage(format!("--size is {}", visible(text)), "give columns and rows, such as 80x24")
    })?;
    Ok(Size::clamped(width, height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui;
    use crate::ui::kit::glyphs::Glyphs;

    #[test]
    fn a_text_has_the_signs_of_the_locale_and_a_picture_all() {
        let signs = |format, lang: &str| {
            let lang = Some(lang.to_owned()).filter(|lang| !lang.is_empty());
            let here = Surroundings { lang, ..Surroundings::default() };
            tui::glyphs(&shown_by(format, here))
        };
        let of_text = ["C", "", "de_DE.UTF-8"].map(|lang| signs(PictureFormat::Text, lang));
        assert_eq!(of_text, [Glyphs::Ascii, Glyphs::Unicode, Glyphs::Unicode]);
        assert_eq!(signs(PictureFormat::Svg, "C"), Glyphs::Unicode);
    }

    #[test]
    fn sizes_are_columns_and_rows() {
        let text = |text| size(text).map(|s| (s.width, s.height)).map_err(|e| e.exit_code());
        assert_eq!(text("80x24"), Ok((80, 24)));
        assert_eq!(text("65535x65535"), Ok((1000, 500)));
        for wrong in ["", "80", "x24", "80x", "-1x2", "80x24x2", "70000x1"] {
            assert_eq!(text(wrong), Err(2), "{wrong}");
        }
    }
}
