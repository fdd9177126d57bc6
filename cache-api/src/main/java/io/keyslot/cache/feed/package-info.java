// SPDX-License-Identifier: Apache-2.0
/** Change feeds: the changes of a cache in the order in which each partition made them. */
@NullMarked
package io.keyslot.cache.feed;

import org.jspecify.annotations.NullMarked;
