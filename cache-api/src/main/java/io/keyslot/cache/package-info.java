// SPDX-License-Identifier: Apache-2.0
/** What an application compiles against besides {@code javax.cache}: the types that {@code unwrap} gives, and options. */
@NullMarked
package io.keyslot.cache;

import org.jspecify.annotations.NullMarked;
