// SPDX-License-Identifier: Apache-2.0
/**
 * The API of partitioned caches in addition to {@code javax.cache}: the types that {@code unwrap} returns, and options.
 */
@NullMarked
package io.keyslot.cache;

import org.jspecify.annotations.NullMarked;
