/** Calls of a cache with a writer that race with each other, and what may come of them. */
@NullMarked
package io.keyslot.race;

import org.jspecify.annotations.NullMarked;
