// SPDX-License-Identifier: Apache-2.0
/** What groups do, through the public interface: contracts of every engine, and tests in virtual time. */
@NullMarked
package io.keyslot.group;

import org.jspecify.annotations.NullMarked;
