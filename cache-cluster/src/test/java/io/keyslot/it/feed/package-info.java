// SPDX-License-Identifier: Apache-2.0
/** Change feeds, on real servers. */
@NullMarked
package io.keyslot.it.feed;

import org.jspecify.annotations.NullMarked;
