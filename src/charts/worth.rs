//! The worth of features as horizontal bars with their errors. The picture is
//! written as SVG directly: rectangles, lines and texts.

use std::fmt::Write as _;

use super::chart::Theme;

/// The worth of one feature, in thousandths of a nat a position.
#[derive(Clone, Debug, PartialEq)]
pub struct WorthBar {
    /// The name beside the bar.
    pub name: String,
    /// Whether the evaluation has the feature already.
    pub is_present: bool,
    /// What it is worth.
    pub worth: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Units of the picture: a bar's height, the room for names, the whole width.
const ROW: usize = 22;
const NAMES: f64 = 170.0;
const WIDTH: f64 = 760.0;

/// The bars as SVG, the most valuable first, with a title for screen readers.
pub fn worth_svg(bars: &[WorthBar], source: &str, theme: Theme) -> String {
    let mut bars: Vec<&WorthBar> = bars.iter().collect();
    bars.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    let (paper, ink, grid, present, candidate) = match theme {
        Theme::Light => ("#ffffff", "#1c1c1e", "#e4e4e8", "#0072b2", "#d55e00"),
        Theme::Dark => ("#16181c", "#e8e8ec", "#34373e", "#56b4e9", "#f0a014"),
    };
    let ends = bars
        .iter()
        .flat_map(|bar| [bar.worth - bar.error, bar.worth + bar.error]);
    let (low, high) = ends.fold((0.0f64, 1.0f64), |(low, high), x| (low.min(x), high.max(x)));
    let place = |worth: f64| NAMES + (WIDTH - NAMES - 20.0) * (worth - low) / (high - low);
    let height = 84 + ROW * bars.len();
    let title = escaped(&format!("What features are worth: {source}"));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{WIDTH}\" \
         height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\" fill=\"{ink}\">\n<title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"{paper}\"/>\n\
         <text x=\"12\" y=\"22\" font-size=\"14\">{title}</text>\n\
         <text x=\"12\" y=\"42\"><tspan fill=\"{present}\">■</tspan> present: loss where it leaves   \
         <tspan fill=\"{candidate}\">■</tspan> candidate: gain where it joins</text>\n"
    );
    let bottom = 54 + ROW * bars.len();
    for tick in ticks(low, high) {
        let x = place(tick);
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"54\" y2=\"{bottom}\" stroke=\"{grid}\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
            bottom + 16
        );
    }
    for (n, bar) in bars.iter().enumerate() {
        let y = 54 + ROW * n;
        let (zero, end) = (place(0.0), place(bar.worth));
        let colour = if bar.is_present { present } else { candidate };
        let middle = y + ROW / 2;
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"{colour}\"/>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{middle}\" y2=\"{middle}\" stroke=\"{ink}\"/>",
            NAMES - 8.0,
            middle + 4,
            escaped(&bar.name),
            zero.min(end),
            y + 4,
            (end - zero).abs(),
            ROW - 8,
            place(bar.worth - bar.error),
            place(bar.worth + bar.error),
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"end\">thousandths of a nat a position</text>\n</svg>",
        WIDTH - 20.0,
        bottom + 28
    );
    text
}

/// Round numbers between two others, at most ten.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let mut step = 0.5;
    while (high - low) / step > 9.0 {
        step *= 2.0;
    }
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|n| n as f64 * step).collect()
}

/// A text that may stand between tags.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_sorted_and_the_text_is_xml() {
        let bar = |name: &str, worth: f64| WorthBar {
            name: name.to_owned(),
            is_present: worth < 0.0,
            worth,
            error: 1.0,
        };
        for theme in Theme::ALL {
            let bars = [bar("a<b", -2.0), bar("best", 14.0), bar("small", 0.5)];
            let text = worth_svg(&bars, "games & more", theme);
            let document = roxmltree::Document::parse(&text).unwrap();
            let words: Vec<&str> = document
                .descendants()
                .filter(roxmltree::Node::is_text)
                .filter_map(|node| node.text())
                .filter(|text| ["best", "small", "a<b"].contains(text))
                .collect();
            assert_eq!(words, ["best", "small", "a<b"]);
            // Paper and three bars.
            let rects = document
                .descendants()
                .filter(|node| node.has_tag_name("rect"));
            let widths: Vec<f64> = rects
                .map(|node| node.attribute("width").unwrap().parse().unwrap())
                .collect();
            assert_eq!(widths.len(), 4);
            assert!(widths[1] > widths[3] && widths[3] > widths[2], "{widths:?}");
        }
        assert_eq!(
            ticks(-3.0, 15.0),
            [-2.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]
        );
    }
}
