/** Near caches in front of real servers, with all that can happen to their messages. */
@NullMarked
package io.keyslot.it.near;

import org.jspecify.annotations.NullMarked;
