// SPDX-License-Identifier: Apache-2.0
/**
 * The demo: a food chain's sales are replayed through caches that are written against {@code javax.cache}, and one
 * partition is taken away on the way. {@link io.keyslot.cluster.demo.Demo} shows the whole of it.
 */
@NullMarked
package io.keyslot.cluster.demo;

import org.jspecify.annotations.NullMarked;
