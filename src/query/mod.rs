//! Questions the tree answers.
