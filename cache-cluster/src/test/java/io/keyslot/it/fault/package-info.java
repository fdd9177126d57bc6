// SPDX-License-Identifier: Apache-2.0
/**
 * Two JVMs under load while servers, networks, databases and JVMs fail: every call is recorded, and checked afterwards.
 */
@NullMarked
package io.keyslot.it.fault;

import org.jspecify.annotations.NullMarked;
