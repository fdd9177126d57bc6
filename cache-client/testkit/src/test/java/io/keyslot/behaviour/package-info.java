// SPDX-License-Identifier: Apache-2.0
/** What caches do in virtual time, through the public interface. */
@NullMarked
package io.keyslot.behaviour;

import org.jspecify.annotations.NullMarked;
