//! The gene table: one row for everything that can be tuned. Genome length,
//! bounds, random creation, mutation, printing and the file forms all derive
//! from it; adding a gene is one row here and, for a new feature, one function
//! in [`super::features`].

/// How many genes there are.
pub const GENES: usize = TABLE.len();

/// How many genes each edition of the table had: there is a new one whenever genes
/// join or a range grows. Genes are only ever added at its end, so these are also the
/// first genes of today's.
pub const EDITIONS: [usize; 5] = [11, 14, 16, 16, GENES];

/// The ranges that genes had up to an edition: a fit lay at a bound, and it was
/// widened. A range only ever grows; the ranges of one gene stand in their order.
const EARLIER_RANGES: [(GeneId, [i32; 2], usize); 7] = [
    (GeneId::Euler, [0, 200], 1),
    (GeneId::Quad3, [-50, 100], 1),
    (GeneId::Quad3, [-100, 100], 3),
    (GeneId::Quad4, [-50, 100], 1),
    (GeneId::Quad4, [-200, 100], 3),
    (GeneId::Capturable, [-50, 100], 2),
    (GeneId::Blocked, [-50, 100], 1),
];

/// The least and the most that gene `n` could be in an edition of the table, in units
/// of its grid.
pub fn range_in(n: usize, edition: usize) -> [i32; 2] {
    let mut earlier = EARLIER_RANGES.iter();
    let earlier = earlier.find(|(gene, _, last)| *gene as usize == n && edition <= *last);
    earlier.map_or([TABLE[n].min, TABLE[n].max], |(_, range, _)| *range)
}

/// The least and the most that gene `n` could be when it joined the table.
pub fn first_range(n: usize) -> [i32; 2] {
    range_in(n, 0)
}

/// The families of features: the five of the source document, and those that joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// How few groups a side's pieces form.
    Connection,
    /// 2×2 windows full of pieces.
    Quads,
    /// How far the pieces lie from their centre of mass.
    CentreOfMass,
    /// Moves that capture.
    Capturable,
    /// How many moves the pieces have.
    Mobility,
    /// How many pieces there are.
    Material,
    /// How compact the pieces are.
    Compactness,
}

impl Family {
    /// All families, in the order of their numbers.
    pub const ALL: [Family; 7] = [
        Family::Connection,
        Family::Quads,
        Family::CentreOfMass,
        Family::Capturable,
        Family::Mobility,
        Family::Material,
        Family::Compactness,
    ];

    /// Its name in `params.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Connection => "connection",
            Family::Quads => "quads",
            Family::CentreOfMass => "centre-of-mass",
            Family::Capturable => "capturable",
            Family::Mobility => "mobility",
            Family::Material => "material",
            Family::Compactness => "compactness",
        }
    }
}

/// What a gene does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Multiplies the feature of the same name; may differ between opening and
    /// endgame.
    Weight,
    /// Shapes a feature; the same throughout the game.
    Shape,
}

/// One row of the table. Values are whole numbers of `grid`, so that no two
/// platforms can differ; `default`, `min` and `max` are in that unit. Files are
/// drawn between `min` and `max`, and mutations are shares of that range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gene {
    /// The name in every file and output.
    pub name: &'static str,
    /// The feature family it belongs to.
    pub family: Family,
    /// Whether it weighs a feature or shapes one.
    pub role: Role,
    /// One sentence for people.
    pub meaning: &'static str,
    /// How many parts a unit has: 1 for whole numbers, 4 for quarters.
    pub grid: i32,
    /// The value in the source weights, in units of `grid`.
    pub default: i32,
    /// The least value that is allowed, in units of `grid`.
    pub min: i32,
    /// The largest value that is allowed, in units of `grid`.
    pub max: i32,
    /// Whether a run moves it unless it is told otherwise. Genes that make every
    /// leaf of a search dearer than they are worth, or that matches showed no gain
    /// by, stand at their default.
    pub is_free: bool,
}

/// Names the rows, in the table's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
#[allow(missing_docs)]
pub enum GeneId {
    Euler,
    HolePenalty,
    Quad3,
    Quad4,
    Spread,
    SpreadPower,
    Capturable,
    Mobility,
    MobilityPower,
    Blocked,
    MobilityCentre,
    Pieces,
    Extent,
    Concentration,
    EdgeMoves,
    CentreMoves,
}

/// Every gene.
pub static TABLE: [Gene; 16] = [
    Gene {
        name: "euler",
        family: Family::Connection,
        role: Role::Weight,
        meaning: "points off for each group (Euler number: groups minus holes)",
        grid: 1,
        default: 60,
        min: -50,
        max: 400,
        is_free: true,
    },
    Gene {
        name: "hole_penalty",
        family: Family::Connection,
        role: Role::Shape,
        meaning: "groups added where holes hide that a side is not connected",
        grid: 4,
        default: 4,
        min: 0,
        max: 16,
        is_free: true,
    },
    Gene {
        name: "quad3",
        family: Family::Quads,
        role: Role::Weight,
        meaning: "points for each 2x2 window with three own pieces",
        grid: 1,
        default: 10,
        min: -100,
        max: 200,
        is_free: true,
    },
    Gene {
        name: "quad4",
        family: Family::Quads,
        role: Role::Weight,
        meaning: "points for each 2x2 window with four own pieces",
        grid: 1,
        default: 10,
        min: -400,
        max: 200,
        is_free: true,
    },
    Gene {
        name: "spread",
        family: Family::CentreOfMass,
        role: Role::Weight,
        meaning: "points off for the distance of the pieces from their centre of mass",
        grid: 1,
        default: 20,
        min: 0,
        max: 100,
        is_free: true,
    },
    Gene {
        name: "spread_power",
        family: Family::CentreOfMass,
        role: Role::Shape,
        meaning: "power of each piece's distance: above 1 stragglers count more",
        grid: 4,
        default: 4,
        min: 2,
        max: 12,
        is_free: true,
    },
    Gene {
        name: "capturable",
        family: Family::Capturable,
        role: Role::Weight,
        meaning: "points for each own legal move that captures",
        grid: 1,
        default: 5,
        min: -50,
        max: 200,
        is_free: true,
    },
    Gene {
        name: "mobility",
        family: Family::Mobility,
        role: Role::Weight,
        meaning: "points for the moves of each piece",
        grid: 1,
        default: 5,
        min: -50,
        max: 100,
        is_free: true,
    },
    Gene {
        name: "mobility_power",
        family: Family::Mobility,
        role: Role::Shape,
        meaning: "power of each piece's number of moves: below 1 the first ones count most",
        grid: 4,
        default: 4,
        min: 1,
        max: 8,
        is_free: false,
    },
    Gene {
        name: "blocked",
        family: Family::Mobility,
        role: Role::Weight,
        meaning: "points off for each own piece without a move",
        grid: 1,
        default: 10,
        min: -50,
        max: 300,
        is_free: true,
    },
    Gene {
        name: "mobility_centre",
        family: Family::Mobility,
        role: Role::Weight,
        meaning: "further points for the moves of pieces within two squares of the centre of mass",
        grid: 1,
        default: 0,
        min: -50,
        max: 100,
        is_free: false,
    },
    Gene {
        name: "pieces",
        family: Family::Material,
        role: Role::Weight,
        meaning: "points for each own piece",
        grid: 1,
        default: 0,
        min: -100,
        max: 600,
        is_free: true,
    },
    Gene {
        name: "extent",
        family: Family::Compactness,
        role: Role::Weight,
        meaning: "points off for each file and each rank of the box around the pieces",
        grid: 1,
        default: 0,
        min: -50,
        max: 200,
        is_free: false,
    },
    Gene {
        name: "concentration",
        family: Family::Compactness,
        role: Role::Weight,
        meaning: "points for pieces in one lump: 8 / (2s + 1), s steps more than they need",
        grid: 1,
        default: 0,
        min: -200,
        max: 1000,
        is_free: true,
    },
    Gene {
        name: "edge_moves",
        family: Family::Mobility,
        role: Role::Weight,
        meaning: "further points for each move that ends on the edge",
        grid: 1,
        default: 0,
        min: -100,
        max: 100,
        is_free: false,
    },
    Gene {
        name: "centre_moves",
        family: Family::Mobility,
        role: Role::Weight,
        meaning: "further points for each move that ends on the sixteen squares in the middle",
        grid: 1,
        default: 0,
        min: -100,
        max: 100,
        is_free: true,
    },
];

/// The first rows of the table, as they were when populations and weight files
/// did not yet name their genes. What such a population or file leaves unsaid
/// stands here, so these rows never change, whatever becomes of the table.
pub static FIRST_GENES: [Gene; 11] = [
    first("euler", Family::Connection, Role::Weight, 1, 60, [0, 200]),
    first(
        "hole_penalty",
        Family::Connection,
        Role::Shape,
        4,
        4,
        [0, 16],
    ),
    first("quad3", Family::Quads, Role::Weight, 1, 10, [-50, 100]),
    first("quad4", Family::Quads, Role::Weight, 1, 10, [-50, 100]),
    first(
        "spread",
        Family::CentreOfMass,
        Role::Weight,
        1,
        20,
        [0, 100],
    ),
    first(
        "spread_power",
        Family::CentreOfMass,
        Role::Shape,
        4,
        4,
        [2, 12],
    ),
    first(
        "capturable",
        Family::Capturable,
        Role::Weight,
        1,
        5,
        [-50, 100],
    ),
    first("mobility", Family::Mobility, Role::Weight, 1, 5, [-50, 100]),
    first(
        "mobility_power",
        Family::Mobility,
        Role::Shape,
        4,
        4,
        [1, 8],
    ),
    first("blocked", Family::Mobility, Role::Weight, 1, 10, [-50, 100]),
    first(
        "mobility_centre",
        Family::Mobility,
        Role::Weight,
        1,
        0,
        [-50, 100],
    ),
];

const fn first(
    name: &'static str,
    family: Family,
    role: Role,
    grid: i32,
    default: i32,
    [min, max]: [i32; 2],
) -> Gene {
    Gene {
        name,
        family,
        role,
        meaning: "",
        grid,
        default,
        min,
        max,
        is_free: true,
    }
}

/// The place of a gene in [`TABLE`], by its name; `None` where there is none.
pub fn place_of(name: &str) -> Option<usize> {
    TABLE.iter().position(|gene| gene.name == name)
}

/// Whether the gene with this name is one of the first.
pub fn is_first(name: &str) -> bool {
    FIRST_GENES.iter().any(|gene| gene.name == name)
}

/// The least and the most of every gene, as a run has them by default: those that
/// are not free have their default value twice.
pub fn bounds() -> [[i32; 2]; GENES] {
    std::array::from_fn(|n| {
        let gene = &TABLE[n];
        if gene.is_free {
            [gene.min, gene.max]
        } else {
            [gene.default; 2]
        }
    })
}

/// The least and the most of the first genes, all of them free; the genes that
/// joined later have 0 twice.
pub fn first_bounds() -> [[i32; 2]; GENES] {
    std::array::from_fn(|n| {
        FIRST_GENES
            .get(n)
            .map_or([0; 2], |gene| [gene.min, gene.max])
    })
}

impl Gene {
    /// A value of this gene as people write it: `3`, `1.25`.
    ///
    /// # Examples
    ///
    /// ```
    /// use loatune::eval::genes::{GeneId, TABLE};
    ///
    /// let gene = &TABLE[GeneId::SpreadPower as usize];
    /// assert_eq!(gene.text(5), "1.25");
    /// assert_eq!(gene.range_text(), "0.5 to 3.0 in steps of 0.25");
    /// ```
    pub fn text(&self, value: i32) -> String {
        if self.grid == 1 {
            return value.to_string();
        }
        let (whole, part) = (value / self.grid, value % self.grid);
        let hundredths = part.abs() * 100 / self.grid;
        let sign = if value < 0 && whole == 0 { "-" } else { "" };
        if hundredths % 10 == 0 {
            format!("{sign}{whole}.{}", hundredths / 10)
        } else {
            format!("{sign}{whole}.{hundredths:02}")
        }
    }

    /// The allowed range as people write it: `0 to 200`.
    pub fn range_text(&self) -> String {
        self.text_of_range([self.min, self.max])
    }

    /// A range of this gene as people write it.
    pub fn text_of_range(&self, [min, max]: [i32; 2]) -> String {
        let unit = match self.grid {
            1 => String::from("whole numbers"),
            _ => format!("steps of {}", self.text(1)),
        };
        format!("{} to {} in {unit}", self.text(min), self.text(max))
    }
}
