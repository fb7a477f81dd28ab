//! Lists of names, with commas between them.

pub(super) const FIRST: &str = "\
    Ada, Alice, Amelia, Anna, Arthur, Aisha, Ben, Bridget, Callum, Carmen, Charlotte, Chloe, \
    Claire, Daniel, David, Diana, Edith, Eleanor, Ella, Emily, Emma, Ethan, Eva, Finn, Fiona, \
    Florence, Freya, George, Grace, Hannah, Harriet, Harry, Helen, Henry, Holly, Imogen, Isla, \
    Ivy, Jack, James, Jasmine, Joan, Julia, Karen, Kate, Laura, Leo, Lily, Louise, Lucy, \
    Martha, Mary, Megan, Mia, Nadia, Nina, Noah, Nora, Oliver, Olivia, Oscar, Patrick, Paula, \
    Peter, Phoebe, Poppy, Priya, Rachel, Rebecca, Robert, Rosa, Rose, Ruby, Samuel, Sarah, \
    Simon, Sofia, Sophie, Stella, Susan, Theo, Thomas, Tilly, Victoria, Violet, William, Zoe";

pub(super) const LAST: &str = "\
    Abbott, Adams, Allen, Archer, Atkins, Bailey, Baker, Barker, Barnes, Bell, Bennett, \
    Bishop, Booth, Bradley, Brooks, Burton, Butler, Carter, Chapman, Clarke, Coleman, Cooper, \
    Cox, Dawson, Dixon, Doyle, Ellis, Evans, Fisher, Fletcher, Ford, Foster, Fox, Gardner, \
    Gibson, Gordon, Graham, Grant, Gray, Green, Hall, Hamilton, Harper, Harris, Hart, Harvey, \
    Hayes, Hill, Holmes, Howard, Hughes, Hunt, Hunter, Jackson, Jenkins, Kelly, Khan, King, \
    Knight, Lane, Lawson, Lewis, Marsh, Mason, Miller, Mills, Morgan, Morris, Murphy, Murray, \
    Newton, Nolan, Owen, Palmer, Parker, Patel, Pearce, Porter, Powell, Price, Reid, Richards, \
    Roberts, Rose, Russell, Saunders, Scott, Shaw, Stone, Taylor, Turner, Walker, Ward, \
    Watson, Webb, West, White, Wood, Wright, Young";

/// The second parts of company names.
pub(super) const TRADES: &str =
    "& Co, & Daughters, Emporium, Gifts, Homeware, Interiors, Stores, Trading";

pub(super) const STREETS: &str = "\
    Abbey Road, Bridge Street, Castle Street, Chapel Lane, Church Road, Garden Row, High \
    Street, Market Place, Mill Lane, Orchard Way, Park Avenue, Queen Street, Station \
    Road, Victoria Terrace";
